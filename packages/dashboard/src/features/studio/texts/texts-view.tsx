// The page of all texts of a bot: a column for each language, edited in place, searched and filtered.
import { Group, Select, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useFilter } from '../../../api/filters.ts'
import { Empty } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import styles from '../studio.module.css'
import { LanguageActions } from './language-actions.tsx'
import { nameLanguage } from './language-names.ts'
import { type TextRow, type TextSource, toId } from './text-source.ts'
import { TextTable } from './text-table.tsx'

const t = texts.studio.languages

export interface TextsViewProps {
  source: TextSource
  /** Undefined for people who do not see the flows. */
  openFlow?: (flow: string) => void
  preview?: (language: string) => void
  /** Adds, removes, exports and imports languages; undefined without the document. */
  hasDocument: boolean
}

const kinds = ['all', 'missing', 'outdated'] as const

export function TextsView({ source, openFlow, preview, hasDocument }: TextsViewProps) {
  const [wanted, setWanted] = useState('')
  const [language, setLanguage] = useFilter('language')
  const [chosenKind, setKind] = useFilter('translation')
  const kind = kinds.find((one) => one === chosenKind) ?? 'all'
  const { languages, rows } = source
  const shown = language && languages.includes(language) ? [language] : languages
  const found = useFiltered(rows, {
    words: wanted.trim().toLowerCase(),
    kind,
    languages: shown,
  })
  return (
    <Stack className={styles.form} gap="sm">
      <Group gap="xs" align="flex-end">
        <TextInput
          label={texts.studio.searchTexts}
          value={wanted}
          flex="1 1 180px"
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        {languages.length > 0 && (
          <>
            <Select
              label={t.shown}
              w={158}
              allowDeselect={false}
              value={shown.length === 1 && language ? language : ''}
              data={[
                { value: '', label: t.all },
                ...languages.map((value) => ({ value, label: nameLanguage(value) })),
              ]}
              onChange={(value) => setLanguage(value ?? '')}
            />
            <Select
              label={t.filter}
              w={158}
              allowDeselect={false}
              value={kind}
              data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
              onChange={(value) => setKind(value === 'all' ? '' : (value ?? ''))}
            />
          </>
        )}
        {hasDocument && <LanguageActions shown={shown} />}
      </Group>
      {found.length === 0 ? (
        <Empty title={rows.length === 0 ? texts.studio.noTexts : t.nothingFound} />
      ) : (
        <TextTable
          source={source}
          rows={found}
          languages={shown}
          openFlow={openFlow}
          preview={preview}
        />
      )}
    </Stack>
  )
}

interface Wanted {
  words: string
  kind: string
  languages: string[]
}

/** A row that is being edited stays, although it no longer matches the filter. */
function useFiltered(rows: TextRow[], wanted: Wanted): TextRow[] {
  const filter = JSON.stringify(wanted)
  const matched = useRef({ filter, ids: new Set<string>() })
  if (matched.current.filter !== filter) matched.current = { filter, ids: new Set() }
  const { ids } = matched.current
  for (const row of rows) if (matches(row, wanted)) ids.add(toId(row))
  return rows.filter((row) => ids.has(toId(row)))
}

function matches({ flow, node, text, translations }: TextRow, wanted: Wanted): boolean {
  const { words, kind, languages } = wanted
  const isOfKind =
    kind === 'all' || languages.some((language) => translations[language]?.state === kind)
  return (
    isOfKind &&
    [flow, node, text, ...Object.values(translations).map((found) => found.text)]
      .join('\n')
      .toLowerCase()
      .includes(words)
  )
}
