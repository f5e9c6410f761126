/**
 * Memory of one project (G2): memory.md, facts, concepts, permanent memory, kept conversations and
 * the history of edits as tabs. Which tab is open is part of the place, and comes back when the
 * view is opened again.
 */
import { Brain, FolderOpen } from 'lucide-react';
import { useEffect } from 'react';
import { ViewFrame } from '../../app/view-frame.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { t } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { isDirty } from '../../store/text-draft.ts';
import { memoryMdDrafts } from '../../store/text-drafts.ts';
import { useApp } from '../../store/use-app.ts';
import { BackfillOffer } from './backfill/backfill-offer.tsx';
import { useBackfill } from './backfill/backfill-store.ts';
import { ConceptsTab } from './concepts/concepts-tab.tsx';
import { useMemoryStore } from './data/memory-store.ts';
import { keepOverview, useOverviews } from './data/overviews.ts';
import { useMemoryQuery } from './data/use-memory.ts';
import { EarlierLines } from './earlier/earlier-line.tsx';
import { FactListTab } from './facts/fact-list-tab.tsx';
import { ForeignLine } from './foreign/foreign-line.tsx';
import { HistoryTab } from './history/history-tab.tsx';
import { LinkOffers } from './link/link-offers.tsx';
import { MemoryMdTab } from './markdown/memory-md-tab.tsx';
import { visibleLine } from './text/visible-text.ts';
import { TranscriptTab } from './transcript/transcript-tab.tsx';
import { MoreMenu } from './work/more-menu.tsx';
import './memory.css';

const TABS = ['text', 'facts', 'concepts', 'permanent', 'transcript', 'history'] as const;
type TabId = (typeof TABS)[number];

export function MemoryView() {
  const projects = useApp((state) => state.projects);
  const chosen = useApp((state) => state.project);
  const only = projects.length === 1 ? projects[0]?.root : undefined;
  const project = chosen ?? only;
  if (project === undefined) return <ChooseProject />;
  const name = projects.find(({ root }) => root === project)?.name ?? project;
  return (
    <ViewFrame
      title={t('shell.memory')}
      about={<bdi>{visibleLine(name, 120)}</bdi>}
      actions={<MoreMenu project={project} />}
      isFilled={true}
    >
      <ProjectTabs key={project} project={project} />
    </ViewFrame>
  );
}

function ProjectTabs({ project }: { project: string }) {
  const place = useApp((state) => state.place);
  const go = useApp((state) => state.go);
  const lastTab = useMemoryStore((state) => state.tab);
  const current = TABS.find((id) => id === (place.tab ?? lastTab)) ?? 'text';
  useEffect(() => useMemoryStore.setState({ tab: current }), [current]);
  const asked = useMemoryQuery('memory.overview', { project }, project).data;
  const kept = useOverviews((overviews) => overviews[project]);
  const overview = asked ?? kept;
  useEffect(() => {
    if (asked !== undefined) keepOverview(project, asked);
  }, [project, asked]);
  const draft = memoryMdDrafts.useDraft(project);
  const counts: Partial<Record<TabId, number | undefined>> = {
    facts: overview?.facts,
    concepts: overview?.concepts,
    permanent: overview?.permanent,
  };
  const tabs: Tab<TabId>[] = TABS.map((id) => ({
    id,
    label: t(`memory.${id}`),
    count: counts[id],
    isDirty: id === 'text' && draft !== undefined && isDirty(draft),
  }));
  return (
    <>
      {(overview?.problems ?? []).map((problem) => (
        <p key={messageText(problem)} className="notice notice-critical" role="alert">
          {messageText(problem)}
        </p>
      ))}
      <BackfillOffer place="memory" />
      <LinkOffers project={project} />
      <EarlierLines project={project} />
      <ForeignLine project={project} />
      <Tabs
        label={t('shell.memory')}
        tabs={tabs}
        current={current}
        onChange={(tab) => go({ view: 'memory', tab })}
      >
        {current === 'text' && <MemoryMdTab project={project} />}
        {current === 'facts' && <FactListTab key="facts" project={project} scope="facts" />}
        {current === 'concepts' && <ConceptsTab project={project} />}
        {current === 'permanent' && (
          <FactListTab key="permanent" project={project} scope="permanent" />
        )}
        {current === 'transcript' && <TranscriptTab project={project} />}
        {current === 'history' && <HistoryTab project={project} />}
      </Tabs>
    </>
  );
}

/** Memory is a project's own; with all of them chosen, this is where to choose one. */
function ChooseProject() {
  const projects = useApp((state) => state.projects);
  const chooseProject = useApp((state) => state.chooseProject);
  return (
    <ViewFrame
      title={t('shell.memory')}
      actions={
        <Button onClick={() => useBackfill.setState({ dialog: 'choose' })}>
          {t('backfill.open')}
        </Button>
      }
    >
      <BackfillOffer place="memory" isMain={true} />
      {projects.length === 0 ? (
        <EmptyState icon={<Brain />} title={t('memory.noProject')}>
          <p>{t('memory.noProjectText')}</p>
        </EmptyState>
      ) : (
        <>
          <p className="quiet">{t('memory.chooseProject')}</p>
          <ul className="project-choices">
            {projects.map(({ root, name, formerRoot, hasMemory }) => (
              <li key={root}>
                <button type="button" className="row-button" onClick={() => chooseProject(root)}>
                  <FolderOpen className="project-picture" size={15} aria-hidden="true" />
                  <bdi className="session-title">{visibleLine(name, 100)}</bdi>
                  <bdi className="quiet cell-text">{visibleLine(formerRoot ?? root, 160)}</bdi>
                  {formerRoot !== null && <span className="tag">{t('shell.projectGone')}</span>}
                  {!hasMemory && <span className="tag">{t('memory.nothingYet')}</span>}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </ViewFrame>
  );
}
