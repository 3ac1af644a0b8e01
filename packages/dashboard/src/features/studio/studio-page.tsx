// The page Flows: the flows of a bot, edited without its document being seen.
import { Group, SegmentedControl, Select, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useMay } from '../../api/session.ts'
import { lazily } from '../../parts/lazily.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { CheckedDraft } from './checks/checks.tsx'
import { CountsToggle } from './counts/node-counts.tsx'
import { DraftOfBot, useStudio } from './draft/use-draft.tsx'
import { listFlows } from './flows/bot-document.ts'
import { EditedFlow } from './flows/flow-editor.tsx'
import { FlowView, useIsList } from './flows/flow-view.tsx'
import { nameFlow } from './flows/names.ts'
import { PartForm } from './part-form.tsx'
import { PartsNav, parts } from './parts-nav.tsx'
import { SharedPath } from './path/path.tsx'
import { TryDraft } from './publish/try-draft.tsx'
import styles from './studio.module.css'
import { Actions, type Aside } from './studio-actions.tsx'
import { TestedDraft } from './tests/test-results.tsx'
import { DraftTexts } from './texts/draft-texts.tsx'
import { TextsPage } from './texts/texts-page.tsx'
import { type Place, useOpen, usePlace } from './use-place.ts'

const t = texts.studio
const CopilotPanel = lazily(
  async () => (await import('./copilot/copilot-panel.tsx')).CopilotPanel,
  <Loading />,
)

const TestsPanel = lazily(
  async () => (await import('./tests/tests-panel.tsx')).TestsPanel,
  <Loading />,
)

export function StudioPage() {
  const may = useMay()
  if (!may('bots.read')) return <TextsPage />
  return (
    <DraftOfBot frame={(content) => <Page title={t.title}>{content}</Page>}>
      <CheckedDraft>
        <SharedPath>
          <TestedDraft>
            <Studio />
          </TestedDraft>
        </SharedPath>
      </CheckedDraft>
    </DraftOfBot>
  )
}

function Studio() {
  const place = usePlace()
  const { flow, part, openFlow } = place
  const [aside, setAside] = useState<Aside>(null)
  const [chosenView, setView] = useFilter('view')
  const isList = useIsList(chosenView)
  useUndoKeys()
  return (
    <EditedFlow key={flow} flow={flow} openFlow={openFlow}>
      <Page
        title={t.title}
        fills
        docs="dashboard#edit-flows"
        actions={<Actions place={place} aside={aside} setAside={setAside} />}
      >
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <PartChoice {...place} />
            {part === undefined && (
              <SegmentedControl
                aria-label={t.view}
                size="xs"
                value={isList ? 'list' : 'canvas'}
                onChange={setView}
                data={[
                  { value: 'canvas', label: t.views.canvas },
                  { value: 'list', label: t.views.list },
                ]}
              />
            )}
            {part === undefined && <CountsToggle flow={flow} />}
          </Group>
          <DraftState />
        </Group>
        <div className={`${styles.studio} panel`} data-studio>
          <PartsNav {...place} />
          <div className={styles.content}>
            <Content {...place} isList={isList} tryDraft={() => setAside('try')} />
            {aside === 'try' && <TryDraft onClose={() => setAside(null)} />}
            {aside === 'copilot' && (
              <CopilotPanel flow={flow} onClose={() => setAside(null)} />
            )}
            {aside === 'tests' && <Tests place={place} onClose={() => setAside(null)} />}
          </div>
        </div>
      </Page>
    </EditedFlow>
  )
}

function Tests({ place, onClose }: { place: Place; onClose: () => void }) {
  return <TestsPanel open={useOpen(place)} onClose={onClose} />
}

function Content({
  flow,
  part,
  openFlow,
  hasFlows,
  isList,
  tryDraft,
}: Place & { isList: boolean; tryDraft: () => void }): ReactNode {
  if (part === 'texts') return <DraftTexts openFlow={openFlow} tryDraft={tryDraft} />
  if (part) return <PartForm key={part} part={part} flow={flow} />
  return hasFlows ? (
    <FlowView isList={isList} />
  ) : (
    <Empty title={t.noFlows} hint={t.noFlowsHint} />
  )
}

/** In place of the list of parts, for which a narrow page has no space. */
function PartChoice({ flow, part, openFlow, openPart }: Place) {
  const { value } = useStudio()
  return (
    <Select
      className={styles.partChoice}
      aria-label={t.part}
      size="xs"
      w={170}
      allowDeselect={false}
      data={[
        {
          group: t.flows,
          items: listFlows(value).map((name) => ({
            value: `flow ${name}`,
            label: nameFlow(name),
          })),
        },
        {
          group: t.ofBot,
          items: parts.map((name) => ({ value: name, label: t.partNames[name] })),
        },
      ]}
      value={part ?? `flow ${flow}`}
      onChange={(chosen) => {
        const found = parts.find((name) => name === chosen)
        if (found) openPart(found)
        else if (chosen) openFlow(chosen.slice('flow '.length))
      }}
    />
  )
}

/** How much of the draft the server has, also for screen readers. */
function DraftState() {
  const { state, unsaved } = useStudio()
  return (
    <Text size="xs" c={state === 'offline' ? 'var(--bad)' : 'dimmed'} role="status">
      {state === 'offline' ? t.offline(unsaved) : t.states[state]}
    </Text>
  )
}

/** Fields of flows would undo only their own text. Other fields keep their keys: a message to the bot. */
const isOtherField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea') !== null &&
  (target.closest('[data-studio]') === null || target.closest('[data-emulator]') !== null)

function useUndoKeys() {
  const { store, isEditor } = useStudio()
  useEffect(() => {
    if (!isEditor) return
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isOtherField(event.target))
        return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) store.redo()
      else store.undo()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [store, isEditor])
}
