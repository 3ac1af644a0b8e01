// A version that is opened: its document or code, and the differences to the version before and to what runs.
import type { SavedVersion } from '@botstead/contract'
import { Modal, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { lazily } from '../../parts/lazily.tsx'
import { Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.versions

const VersionComparison = lazily(
  async () => (await import('./version-comparison.tsx')).VersionComparison,
  <Loading />,
)
const VersionContents = lazily(
  async () => (await import('./version-comparison.tsx')).VersionContents,
  <Loading />,
)

type View = keyof typeof t.views

interface VersionViewProps {
  version: SavedVersion
  /** The version before it; null for the first one. */
  former: SavedVersion | null
  /** The bot has exactly this state. */
  isRunning: boolean
  initial: View
  onClose: () => void
}

export function VersionView({
  version,
  former,
  isRunning,
  initial,
  onClose,
}: VersionViewProps) {
  const views: View[] = [
    'contents',
    ...(former ? (['former'] as const) : []),
    ...(isRunning ? [] : (['current'] as const)),
  ]
  const [chosen, setChosen] = useState<View>(initial)
  const view = views.includes(chosen) ? chosen : 'contents'
  return (
    <Modal opened onClose={onClose} size="90%" title={t.openTitle(version)}>
      <Stack>
        <SegmentedControl
          aria-label={t.view}
          value={view}
          onChange={(value) => setChosen(value as View)}
          data={views.map((value) => ({ value, label: t.views[value] }))}
        />
        {view === 'contents' ? (
          <VersionContents version={version} />
        ) : (
          <VersionComparison
            key={view}
            version={version}
            former={view === 'former' ? former : null}
          />
        )}
      </Stack>
    </Modal>
  )
}
