@rem The command line, for skills in PowerShell: Claude Code puts this folder on the PATH of its tools.
@setlocal
@set "MEMORY_KEEPER_CLI=1"
@"%~dp0..\hooks\run.cmd" %*
