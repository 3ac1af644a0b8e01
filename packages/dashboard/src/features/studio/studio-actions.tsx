// The buttons of the page Flows: search, undo, problems, publish, and what they open.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDots,
  IconPlus,
} from '../../icons/icons.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { useChecks } from './checks/checks.tsx'
import { ProblemList } from './checks/problem-list.tsx'
import { toSegments } from './draft/edits.ts'
import { useStudio } from './draft/use-draft.tsx'
import { parts } from './parts-nav.tsx'
import { SearchBox } from './search-box.tsx'
import { type Opened, type Place, useOpen } from './use-place.ts'

const t = texts.studio
/** Apart, with the comparison of versions. */
const PublishDialog = lazily(
  async () => (await import('./publish/publish-dialog.tsx')).PublishDialog,
)

const DialogueWizard = lazily(
  async () => (await import('./wizard/wizard.tsx')).DialogueWizard,
)

type Dialog = 'publish' | 'discard' | 'problems' | 'dialogue'

/** The panel or dialog beside the flows. */
export type Aside = 'try' | 'copilot' | 'tests' | null

const asides = { copilot: t.copilot, tests: t.tests.title, try: t.tryDraft }

interface ActionsProps {
  place: Place
  aside: Aside
  setAside: (aside: Aside) => void
}

export function Actions({ place, aside, setAside }: ActionsProps) {
  const { isEditor } = useStudio()
  const { problems, isCurrent } = useChecks()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const open = useOpen(place)
  const close = () => setDialog(null)
  return (
    <>
      <SearchBox open={open} />
      {isEditor && <UndoButtons />}
      <ProblemButton onClick={() => setDialog('problems')} />
      {isEditor && (
        <>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => setDialog('dialogue')}
          >
            {t.addDialogue}
          </Button>
          {(['copilot', 'tests', 'try'] as const).map((name) => (
            <Button
              key={name}
              variant={aside === name ? 'filled' : 'default'}
              size="compact-sm"
              aria-pressed={aside === name}
              onClick={() => setAside(aside === name ? null : name)}
            >
              {asides[name]}
            </Button>
          ))}
          <Button
            size="compact-sm"
            disabled={isCurrent && problems.length > 0}
            onClick={() => setDialog('publish')}
          >
            {t.publish}
          </Button>
          <MoreActions discard={() => setDialog('discard')} />
        </>
      )}
      {dialog === 'publish' && <PublishDialog onClose={close} />}
      {dialog === 'discard' && <DiscardDialog onClose={close} />}
      {dialog === 'dialogue' && (
        <DialogueWizard openFlow={place.openFlow} onClose={close} />
      )}
      {dialog === 'problems' && (
        <ProblemList open={(pointer) => open(toPlaceAt(pointer))} onClose={close} />
      )}
    </>
  )
}

function UndoButtons() {
  const { store, canUndo, canRedo } = useStudio()
  return (
    <>
      <IconButton label={t.undo} disabled={!canUndo} onClick={() => store.undo()}>
        <IconArrowBackUp size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label={t.redo} disabled={!canRedo} onClick={() => store.redo()}>
        <IconArrowForwardUp size={18} aria-hidden="true" />
      </IconButton>
    </>
  )
}

function ProblemButton({ onClick }: { onClick: () => void }) {
  const { problems, warnings } = useChecks()
  if (problems.length + warnings.length === 0) return null
  const isBroken = problems.length > 0
  return (
    <Button
      variant="default"
      size="compact-sm"
      {...(isBroken && { c: 'var(--bad)' })}
      onClick={onClick}
    >
      {isBroken ? t.problems(problems.length) : t.warnings(warnings.length)}
    </Button>
  )
}

function MoreActions({ discard }: { discard: () => void }) {
  const { workspaceId, botId } = useBot()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t.moreActions}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={discard}>{t.discard}</Menu.Item>
        <Menu.Item
          renderRoot={(props) => (
            <Link
              to="/w/$workspaceId/bots/$botId/versions"
              params={{ workspaceId, botId }}
              {...props}
            />
          )}
        >
          {t.versions}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface IconButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

const IconButton = ({ label, disabled, onClick, children }: IconButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="default"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)

/** Returns the place of a value of the document. */
function toPlaceAt(pointer: string): Opened {
  const [top, flow, , node, , card] = toSegments(pointer)
  if (top === 'languages') return toTexts(toSegments(pointer))
  const part = parts.find((name) => name === top)
  if (top !== 'flows' || flow === undefined) return { part: part ?? 'settings' }
  return {
    flow,
    ...(node !== undefined && { node }),
    ...(card !== undefined && /^\d+$/.test(card) && { card: Number(card) }),
  }
}

/** A problem of a language as a whole is that of its missing texts. */
const toTexts = ([, kind, language, key]: string[]): Opened =>
  kind === 'translations' && language !== undefined && key === undefined
    ? { part: 'texts', language }
    : { part: 'texts' }

function DiscardDialog({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const { store } = useStudio()
  const { mutateAsync } = useMutation({
    mutationFn: async () => {
      await store.flush()
      const { draft } = await client.platform.discardBotDraft({ params: { botId } })
      store.replace(draft)
      notifyDone(t.discarded)
    },
  })
  return (
    <Confirm
      title={t.discardTitle}
      button={t.discard}
      onConfirm={mutateAsync}
      onClose={onClose}
    >
      {t.discardText}
    </Confirm>
  )
}
