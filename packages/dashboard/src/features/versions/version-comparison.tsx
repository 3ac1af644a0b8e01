// A version beside the current state of the bot: the changed parts, then the definition or the code
// with marked differences.

import type { SavedVersion } from '@botstead/contract'
import { json } from '@codemirror/lang-json'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Group, SegmentedControl, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { nonce } from '../../page-values.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ChangeList } from './change-list.tsx'
import { changesBetween, splitIntoParts } from './document-changes.ts'
import { type Documents, useDocuments } from './version-documents.ts'

const t = texts.versions
const parts = ['definition', 'code'] as const
type Part = (typeof parts)[number]

export function VersionComparison({ version }: { version: SavedVersion }) {
  const query = useDocuments(version)
  return (
    <Loaded query={query}>
      {(documents) => <Comparison version={version} documents={documents} />}
    </Loaded>
  )
}

function Comparison({ version, documents }: { version: SavedVersion; documents: Documents }) {
  const changes = changesBetween(documents.version, documents.current)
  const [left, right] = [splitIntoParts(documents.version), splitIntoParts(documents.current)]
  const differing = parts.filter((part) => left[part] !== right[part])
  const [chosen, setChosen] = useState<Part | undefined>(differing[0])
  if (chosen === undefined) return <Text>{t.same}</Text>
  return (
    <Stack>
      <ChangeList title={t.since(version.name)} changes={changes} />
      {differing.length > 1 && (
        <SegmentedControl
          aria-label={t.part}
          value={chosen}
          onChange={(value) => setChosen(value as Part)}
          data={parts.map((value) => ({ value, label: t.parts[value] }))}
        />
      )}
      <Differences
        key={chosen}
        part={chosen}
        left={left[chosen]}
        right={right[chosen]}
        name={version.name}
      />
    </Stack>
  )
}

interface DifferencesProps {
  part: Part
  left: string
  right: string
  name: string
}

/** Two texts with their differences: beside each other, or as one text on a phone. */
export function Differences({ part, left, right, name }: DifferencesProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const isDark = useComputedColorScheme('light') === 'dark'
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = isNarrow
      ? openUnified(container.current!, part, left, right, isDark)
      : openSideBySide(container.current!, part, left, right, isDark)
    return () => view.destroy()
  }, [isNarrow, isDark, part, left, right])
  return (
    <div>
      {isNarrow ? (
        <Text size="sm" c="dimmed" mb="xs">
          {t.unified}
        </Text>
      ) : (
        <Group grow mb="xs">
          <Text fw={600} className="foreign">
            {name}
          </Text>
          <Text fw={600}>{t.right}</Text>
        </Group>
      )}
      <div ref={container} className="panel" style={{ maxHeight: '60vh', overflow: 'auto' }} />
    </div>
  )
}

/** Keeps the page responsive when it compares large bundles. */
const options = {
  collapseUnchanged: { margin: 3 },
  diffConfig: { scanLimit: 1_000, timeout: 2_000 },
}

const shade = (color: string, percent: number) =>
  `color-mix(in srgb, var(${color}) ${percent}%, transparent)`
const removed = '&.cm-merge-a .cm-changedLine, .cm-deletedChunk'
const added = '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine'
const colours = {
  '.cm-gutters': { background: 'transparent', border: 'none' },
  '.cm-collapsedLines': { background: 'var(--soft)', color: 'inherit' },
  [removed]: { backgroundColor: shade('--bad', 14) },
  [added]: { backgroundColor: shade('--good', 14) },
}

const toExtensions = (part: Part, label: string, isDark: boolean) => [
  EditorView.theme(colours, { dark: isDark }),
  EditorView.cspNonce.of(nonce),
  part === 'definition' ? json() : [],
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
]

type Opened = [parent: HTMLElement, part: Part, left: string, right: string, isDark: boolean]

const openSideBySide = (...[parent, part, left, right, isDark]: Opened) =>
  new MergeView({
    a: { doc: left, extensions: toExtensions(part, t.left, isDark) },
    b: { doc: right, extensions: toExtensions(part, t.right, isDark) },
    parent,
    ...options,
  })

const openUnified = (...[parent, part, left, right, isDark]: Opened) =>
  new EditorView({
    doc: right,
    extensions: [
      ...toExtensions(part, t.right, isDark),
      unifiedMergeView({ original: left, mergeControls: false, ...options }),
    ],
    parent,
  })
