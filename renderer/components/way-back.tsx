/**
 * The way back to a conversation that was cleared (K9): shows the command that resumes it, to be
 * copied and pasted in a terminal. The window itself starts and types nothing. Where Claude Code
 * has deleted the conversation, what was said can still be read.
 */
import { CornerUpLeft } from 'lucide-react';
import { t } from '../locale/locale.ts';
import { errorText } from '../locale/message-text.ts';
import { useApp } from '../store/use-app.ts';
import { useQuery } from '../store/use-query.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Popover, PopoverClose } from './popover.tsx';
import { Spinner } from './states.tsx';
import './way-back.css';

interface WayBackProps {
  /** The session that was cleared. */
  sessionId: string;
  project: string | null;
  /** For whoever hears the button alone. */
  name: string;
}

export function WayBack({ sessionId, project, name }: WayBackProps) {
  const text = t('shell.resumeOld');
  return (
    <Popover
      label={text}
      align="start"
      trigger={
        <Button
          look="bare"
          size="small"
          icon={<CornerUpLeft aria-hidden="true" />}
          aria-label={`${text}: ${name}`}
        >
          {text}
        </Button>
      }
    >
      <Way sessionId={sessionId} project={project} />
    </Popover>
  );
}

function Way({ sessionId, project }: Pick<WayBackProps, 'sessionId' | 'project'>) {
  const { data, error } = useQuery('resume.wayBack', { sessionId });
  const isOpen = useApp(
    ({ live }) => live?.sessions.some((session) => session.sessionId === sessionId) === true,
  );
  if (error !== undefined)
    return (
      <div className="way-back" role="alert">
        <p>{errorText(error)}</p>
        {project !== null && <ReadIt sessionId={sessionId} project={project} />}
      </div>
    );
  if (data === undefined) return <Spinner />;
  return (
    <div className="way-back">
      <p>{t(isOpen ? 'shell.resumeIsOpen' : 'shell.resumeHow')}</p>
      <Command text={data.command} />
      <CopyButton text={data.command} label={t('shell.resumeCopy')} look="primary" size="small" />
      <p className="quiet">{t('shell.resumeFull')}</p>
    </div>
  );
}

/** The last part is not broken at its dashes. */
function Command({ text }: { text: string }) {
  const at = text.lastIndexOf('claude ');
  return (
    <pre className="way-back-command">
      {text.slice(0, at)}
      <span>{text.slice(at)}</span>
    </pre>
  );
}

function ReadIt({ sessionId, project }: { sessionId: string; project: string }) {
  const go = useApp((state) => state.go);
  const chooseProject = useApp((state) => state.chooseProject);
  const open = () => {
    chooseProject(project);
    go({ view: 'memory', tab: 'transcript', session: sessionId });
  };
  return (
    <PopoverClose asChild>
      <Button size="small" onClick={open}>
        {t('shell.resumeRead')}
      </Button>
    </PopoverClose>
  );
}
