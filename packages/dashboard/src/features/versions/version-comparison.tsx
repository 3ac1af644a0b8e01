// The document of a version: alone, or beside another state of the bot with the changed parts, then the
// definition or the code with marked differences.

import type { SavedVersion } from '@botstead/contract'
import { json } from '@codemirror/lang-json'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import {
  Group,
  SegmentedControl,
  Stack,
  Text,
  useComputedColorScheme,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { nonce } from '../../page-values.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ChangeList } from './change-list.tsx'
import { changesBetween, type Document, splitIntoParts } from './document-changes.ts'
import { useDocument, useDocuments } from './version-documents.ts'

const t = texts.versions
const parts = ['definition', 'code'] as const
type Part = (typeof parts)[number]

interface VersionComparisonProps {
  version: SavedVersion
  /** The version before it; null for the current state of the bot, which is newer. */
  former: SavedVersion | null
}

export function VersionComparison({ version, former }: VersionComparisonProps) {
  const query = useDocuments(version, former)
  return (
    <Loaded query={query}>
      {(documents) =>
        former ? (
          <Comparison
            left={{ name: former.name, document: documents.other }}
            right={{ name: version.name, document: documents.version }}
          />
        ) : (
          <Comparison
            left={{ name: version.name, document: documents.version }}
            right={{ name: t.right, document: documents.other }}
          />
        )
      }
    </Loaded>
  )
}

/** The definition and the code of a version. */
export function VersionContents({ version }: { version: SavedVersion }) {
  const query = useDocument(version)
  return <Loaded query={query}>{(document) => <Contents document={document} />}</Loaded>
}

function Contents({ document }: { document: Document }) {
  const texts = splitIntoParts(document)
  const present = parts.filter((part) => texts[part] !== '' && texts[part] !== '{}')
  const [chosen, setChosen] = useState<Part>(present[0] ?? 'definition')
  return (
    <Stack>
      <PartChoice parts={present} value={chosen} onChange={setChosen} />
      <Reader key={chosen} part={chosen} text={texts[chosen]} />
    </Stack>
  )
}

interface PartChoiceProps {
  parts: Part[]
  value: Part
  onChange: (part: Part) => void
}

function PartChoice({ parts, value, onChange }: PartChoiceProps) {
  if (parts.length < 2) return null
  return (
    <SegmentedControl
      aria-label={t.part}
      value={value}
      onChange={(part) => onChange(part as Part)}
      data={parts.map((value) => ({ value, label: t.parts[value] }))}
    />
  )
}

function Reader({ part, text }: { part: Part; text: string }) {
  const isDark = useComputedColorScheme('light') === 'dark'
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = new EditorView({
      doc: text,
      extensions: toExtensions(part, t.parts[part], isDark),
      parent: container.current!,
    })
    return () => view.destroy()
  }, [isDark, part, text])
  return (
    <div
      ref={container}
      className="panel"
      style={{ maxHeight: '60vh', overflow: 'auto' }}
    />
  )
}

interface Side {
  name: string
  document: Document
}

function Comparison({ left, right }: { left: Side; right: Side }) {
  const changes = changesBetween(left.document, right.document)
  const [before, after] = [splitIntoParts(left.document), splitIntoParts(right.document)]
  const differing = parts.filter((part) => before[part] !== after[part])
  const [chosen, setChosen] = useState<Part | undefined>(differing[0])
  if (chosen === undefined) return <Text>{t.same}</Text>
  return (
    <Stack>
      <ChangeList title={t.since(left.name)} changes={changes} />
      <PartChoice
        parts={differing.length > 1 ? [...parts] : []}
        value={chosen}
        onChange={setChosen}
      />
      <Differences
        key={chosen}
        part={chosen}
        left={before[chosen]}
        right={after[chosen]}
        name={left.name}
        rightName={right.name}
      />
    </Stack>
  )
}

interface DifferencesProps {
  part: Part
  left: string
  right: string
  /** Of the left text. */
  name: string
  rightName?: string
}

/** Two texts with their differences: beside each other, or as one text on a phone. */
export function Differences({
  part,
  left,
  right,
  name,
  rightName = t.right,
}: DifferencesProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
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
          {t.unified(name, rightName)}
        </Text>
      ) : (
        <Group grow mb="xs">
          <Text fw={600} className="foreign">
            {name}
          </Text>
          <Text fw={600} className="foreign">
            {rightName}
          </Text>
        </Group>
      )}
      <div
        ref={container}
        className="panel"
        style={{ maxHeight: '60vh', overflow: 'auto' }}
      />
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

type Opened = [
  parent: HTMLElement,
  part: Part,
  left: string,
  right: string,
  isDark: boolean,
]

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
