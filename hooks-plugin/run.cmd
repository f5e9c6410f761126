@echo off
rem Starts the hook program on Windows, as run.sh does elsewhere (G8): with node on PATH, with node where its installers put it, or with the
rem runtime that the Memory Keeper app brings along. Where there is none, the user is told once a session; no hook ever fails. ASCII only:
rem which letters cmd takes the others for differs from machine to machine.
setlocal DisableDelayedExpansion
set "here=%~dp0"
set "task=%~1"
set "how="
rem Told by bin\memory-keeper.cmd, because all words are the command line's then. What is started must not see it.
if defined MEMORY_KEEPER_CLI set "task=cli"
set "MEMORY_KEEPER_CLI="
set "program=%here%hook.cjs"
if "%task%"=="prompt" set "program=%here%prompt.cjs"
if "%task%"=="start" set "program=%here%session-start.cjs"
if "%task%"=="permit" set "program=%here%permit.cjs"
for %%T in (reply tool compact end) do if "%task%"=="%%T" set "program=%here%keep.cjs"
if "%task%"=="cli" set "program=%here%..\cli\start.cjs"

set "ours=%MEMORY_KEEPER_HOME%"
if not defined ours if defined CLAUDE_CONFIG_DIR set "ours=%CLAUDE_CONFIG_DIR%\memory-keeper"
if not defined ours if defined HOME set "ours=%HOME%\.claude\memory-keeper"
if not defined ours set "ours=%USERPROFILE%\.claude\memory-keeper"
set "NODE_COMPILE_CACHE=%ours%\compiled"

set "node="
for %%N in (node.exe) do set "node=%%~$PATH:N"
set "next=managed"
if defined node goto try

rem Of what version managers have, the newest.
:managed
if not defined NVM_HOME set "NVM_HOME=%APPDATA%\nvm"
if not defined FNM_DIR set "FNM_DIR=%APPDATA%\fnm"
if not defined VOLTA_HOME set "VOLTA_HOME=%LOCALAPPDATA%\Volta"
if not defined MISE_DATA_DIR set "MISE_DATA_DIR=%LOCALAPPDATA%\mise"
set "newest="
set "highest=17"
for %%F in ("%NVM_HOME%" "%FNM_DIR%\node-versions" "%VOLTA_HOME%\tools\image\node" "%MISE_DATA_DIR%\installs\node") do call :among %%F
set "node=%newest%"
set "next=installed"
if defined node goto try

:installed
set "node="
for %%N in ("%USERPROFILE%\scoop\apps\nodejs-lts\current\node.exe" "%USERPROFILE%\scoop\apps\nodejs\current\node.exe" "%ProgramFiles%\nodejs\node.exe") do if exist %%N set "node=%%~N"
set "next=app"
if defined node goto try

rem The app leaves a script here that starts its own program, which is told to be Node.js.
:app
set "ELECTRON_RUN_AS_NODE=1"
set "node=%ours%\runtime.cmd"
set "how=call"
set "next=none"
if exist "%node%" goto try

:none
if "%task%"=="start" echo {"systemMessage":"[MEMORY KEEPER] Nothing is kept: there is no Node.js (18 or later) to run with. Install Node.js or the Memory Keeper app."}
if not "%task%"=="cli" exit /b 0
echo memory-keeper: there is no Node.js (20 or later) to run with>&2
exit /b 1

rem Goes on with what comes next if this cannot run the program: a shim that stands for no version, a Node.js that is too old.
:try
if "%task%"=="cli" goto trycli
%how% "%node%" "%program%" %task% 2>nul
rem What crashed has read its input already.
if %errorlevel% leq 0 exit /b 0
goto %next%

:trycli
%how% "%node%" "%program%" %*
set "code=%errorlevel%"
for %%C in (69 126 127) do if "%code%"=="%%C" goto %next%
exit /b %code%

:among
if not exist "%~1\" exit /b
pushd "%~1"
for /d %%D in (*) do call :consider "%%~fD"
popd
exit /b

:consider
set "node=%~1\node.exe"
if not exist "%node%" set "node=%~1\installation\node.exe"
if not exist "%node%" exit /b
set "version=%~nx1"
if /i "%version:~0,1%"=="v" set "version=%version:~1%"
for /f "tokens=1 delims=." %%M in ("%version%") do set "major=%%M"
for /f "delims=0123456789" %%X in ("%major%") do exit /b
if %major% gtr %highest% set "newest=%node%"
if %major% gtr %highest% set "highest=%major%"
exit /b
