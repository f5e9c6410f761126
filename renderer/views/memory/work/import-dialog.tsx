/**
 * Import into a project's memory (M20): a file or folder is chosen, what would come of it is shown
 * before anything is written, then it is done and can be taken back. What is refused is told with
 * its reason, and nothing has changed then.
 */
import { FileArchive, FolderOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ImportResult } from '../../../../core/memory/portable/import-memory.ts';
import type { ChosenFile } from '../../../../core/usecases/live/chosen-files.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Segments } from '../../../components/segments.tsx';
import { Progress } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { errorText } from '../../../locale/message-text.ts';
import { shortPath } from '../../../locale/short-path.ts';
import { asBridgeError } from '../../../store/app-store.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { visibleLine } from '../text/visible-text.ts';
import { ImportFigures } from './import-figures.tsx';
import './import.css';

type Doing = 'sending' | 'preview' | 'import';

interface State {
  file?: ChosenFile;
  isReplacing: boolean;
  preview?: ImportResult;
  done?: ImportResult;
  doing?: Doing;
  error?: BridgeError;
}

const START: State = { isReplacing: false };
const LONGEST_NAME = 120;

/** As the archive says it, and anybody may have made that. */
const nameOf = ({ from }: ImportResult) => visibleLine(from, LONGEST_NAME);

export function ImportDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const bridge = useBridge();
  const toast = useApp((state) => state.toast);
  const fail = useApp((state) => state.fail);
  const doWork = useApp((state) => state.doWork);
  const [state, setState] = useState<State>(START);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const attempt = async (before: State, action: () => Promise<State | undefined>) => {
    setState(before);
    try {
      const after = await action();
      if (after !== undefined) setState(after);
    } catch (error) {
      const { doing: _, ...rest } = before;
      // One that cannot be looked at cannot be taken in either.
      setState({ ...(rest.preview === undefined ? START : rest), error: asBridgeError(error) });
      if (!isOpen.current) fail(error);
    }
  };

  const look = (file: ChosenFile, isReplacing: boolean, shown: State = START) =>
    attempt({ ...shown, file, isReplacing, doing: 'preview' }, async () => ({
      file,
      isReplacing,
      preview: await doWork('archive.preview', { project, source: file.id, isReplacing }),
    }));

  const choose = (kind: 'archive' | 'folder') =>
    attempt(state, async () => {
      const file = await bridge.choose({ kind }, () => setState({ ...START, doing: 'sending' }));
      if (file !== null) void look(file, false);
      return undefined;
    });

  const undo = async () => {
    try {
      await doWork('archive.undo', { project });
      toast(t('memory.importUndone'));
    } catch (error) {
      fail(error);
    }
  };

  const takeIn = (file: ChosenFile) =>
    attempt({ ...state, doing: 'import' }, async () => {
      const done = await doWork('archive.import', {
        project,
        source: file.id,
        isReplacing: state.isReplacing,
      });
      if (!isOpen.current)
        toast(t(`memory.imported_${done.way}`, { from: nameOf(done) }), {
          label: t('shell.undo'),
          run: () => void undo(),
        });
      return { isReplacing: false, done };
    });

  const { file, preview, done, doing, error } = state;
  const close = (
    <Button onClick={onClose} disabled={doing === 'sending'}>
      {t(done === undefined ? 'shell.cancel' : 'shell.close')}
    </Button>
  );
  return (
    <Dialog
      title={t('memory.importTitle')}
      description={t(done === undefined ? 'memory.importAbout' : 'memory.importDone')}
      isOpen={true}
      onClose={onClose}
      footer={
        <>
          {done !== undefined && (
            <Button
              onClick={() => {
                onClose();
                void undo();
              }}
            >
              {t('shell.undo')}
            </Button>
          )}
          {close}
          {preview !== undefined && file !== undefined && (
            <Button
              look="primary"
              isBusy={doing === 'import'}
              disabled={doing !== undefined}
              onClick={() => void takeIn(file)}
            >
              {t('memory.importNow')}
            </Button>
          )}
        </>
      }
    >
      <div className="import">
        {error !== undefined && (
          <p className="import-refused" role="alert">
            {errorText(error)}
          </p>
        )}
        {done === undefined && <Source state={state} onChoose={(kind) => void choose(kind)} />}
        {preview !== undefined && file !== undefined && (
          <>
            {preview.way !== 'placed' && (
              <Segments
                label={t('memory.importWay')}
                value={state.isReplacing ? 'replace' : 'join'}
                choices={[
                  { value: 'join', label: t('memory.importJoin') },
                  { value: 'replace', label: t('memory.importReplace') },
                ]}
                onChange={(way) => void look(file, way === 'replace', state)}
              />
            )}
            <p>{t(`memory.importWould_${preview.way}`, { from: nameOf(preview) })}</p>
            <ImportFigures imported={preview} />
          </>
        )}
        {done !== undefined && (
          <>
            <p>{t(`memory.imported_${done.way}`, { from: nameOf(done) })}</p>
            <ImportFigures imported={done} />
          </>
        )}
        {doing !== undefined && <Going project={project} doing={doing} />}
      </div>
    </Dialog>
  );
}

function Source({
  state,
  onChoose,
}: {
  state: State;
  onChoose: (kind: 'archive' | 'folder') => void;
}) {
  const { kind } = useBridge();
  const ourHome = useApp((app) => app.about?.home);
  const { file, doing } = state;
  const command = 'memory-keeper memory import <folder>';
  return (
    <>
      <div className="import-choices">
        {file !== undefined && (
          <p className="import-file">
            <FileArchive aria-hidden="true" />
            <bdi>{visibleLine(shortPath(file.name, ourHome), LONGEST_NAME)}</bdi>
          </p>
        )}
        <Button
          look={file === undefined ? 'primary' : 'plain'}
          size={file === undefined ? 'normal' : 'small'}
          icon={<FileArchive aria-hidden="true" />}
          disabled={doing !== undefined}
          onClick={() => onChoose('archive')}
        >
          {t(file === undefined ? 'memory.importFile' : 'memory.importOther')}
        </Button>
        {kind === 'electron' && (
          <Button
            size={file === undefined ? 'normal' : 'small'}
            icon={<FolderOpen aria-hidden="true" />}
            disabled={doing !== undefined}
            onClick={() => onChoose('folder')}
          >
            {t('memory.importFolder')}
          </Button>
        )}
      </div>
      {file === undefined && kind === 'electron' && (
        <p className="quiet">{t('memory.importFolderAbout')}</p>
      )}
      {file === undefined && kind === 'browser' && (
        <div className="import-command">
          <p className="quiet">{t('memory.importFolderCommand')}</p>
          <p className="import-line">
            <code>{command}</code>
            <CopyButton text={command} size="small" look="bare" />
          </p>
        </div>
      )}
    </>
  );
}

const DOING = {
  sending: 'memory.importSending',
  preview: 'memory.doing_preview',
  import: 'memory.doing_import',
} as const;

function Going({ project, doing }: { project: string; doing: Doing }) {
  const work = useApp((state) =>
    state.work.find((one) => one.project === project && one.what === doing),
  );
  return (
    <div className="import-going" role="status">
      <p>{t(DOING[doing])}</p>
      <Progress label={t(DOING[doing])} done={work?.done ?? 0} total={work?.total ?? 0} />
    </div>
  );
}
