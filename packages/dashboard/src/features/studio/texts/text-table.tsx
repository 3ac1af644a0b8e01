// The table of texts. Only the visible rows have inputs: a bot may have thousands of texts.
import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Table,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { IconMessageCircle } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useProblemAt } from '../checks/checks.tsx'
import { nameFlow, toCardTitle } from '../flows/names.ts'
import { nameLanguage } from './language-names.ts'
import { type TextRow, type TextSource, toId } from './text-source.ts'

const t = texts.studio.languages

interface TextTableProps {
  source: TextSource
  rows: TextRow[]
  languages: string[]
  openFlow: ((flow: string) => void) | undefined
  preview: ((language: string) => void) | undefined
}

/** A pointer without problems. */
const nowhere = '//'
const estimatedHeight = 56
const [placeWidth, columnWidth] = [115, 230]

export function TextTable({
  source,
  rows,
  languages,
  openFlow,
  preview,
}: TextTableProps) {
  const area = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => estimatedHeight,
    overscan: 8,
    getItemKey: (index) => toId(rows[index]!),
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const columns = languages.length + 2
  const space = (height: number) => (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div ref={area} tabIndex={0} style={{ overflow: 'auto', flex: 1, minHeight: 360 }}>
      <Table
        aria-label={texts.studio.textsTitle}
        aria-rowcount={rows.length + 1}
        layout="fixed"
        stickyHeader
        miw={placeWidth + columnWidth * (languages.length + 1)}
      >
        <Head source={source} languages={languages} preview={preview} />
        <Table.Tbody>
          {first && first.start > 0 && space(first.start)}
          {items.map(({ key, index }) => (
            <tr
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              style={{ verticalAlign: 'top' }}
            >
              <Cells
                source={source}
                row={rows[index]!}
                languages={languages}
                openFlow={openFlow}
              />
            </tr>
          ))}
          {last &&
            virtual.getTotalSize() > last.end &&
            space(virtual.getTotalSize() - last.end)}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type HeadProps = Pick<TextTableProps, 'source' | 'languages' | 'preview'>

function Head({ source: { original, rows }, languages, preview }: HeadProps) {
  const count = (language: string, wanted: string) =>
    rows.filter(({ translations }) => translations[language]?.state === wanted).length
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th w={placeWidth}>{texts.studio.place}</Table.Th>
        <Table.Th>
          {original === undefined
            ? texts.studio.text
            : t.originalIn(nameLanguage(original))}
        </Table.Th>
        {languages.map((language) => (
          <Table.Th key={language}>
            <Group gap={4} wrap="nowrap" justify="space-between">
              <div>
                {nameLanguage(language)}
                <Text size="xs" c="dimmed">
                  {t.counts(count(language, 'missing'), count(language, 'outdated'))}
                </Text>
              </div>
              {preview && (
                <Tooltip label={t.preview(nameLanguage(language))}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t.preview(nameLanguage(language))}
                    onClick={() => preview(language)}
                  >
                    <IconMessageCircle size={18} aria-hidden="true" />
                  </ActionIcon>
                </Tooltip>
              )}
            </Group>
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  )
}

interface CellsProps extends Pick<TextTableProps, 'source' | 'languages' | 'openFlow'> {
  row: TextRow
}

function Cells({ source, row, languages, openFlow }: CellsProps) {
  const { flow, node, cardType } = row
  const card = cardType === undefined ? t.standard : toCardTitle(cardType)
  const place = flow === undefined ? t.standard : `${nameFlow(flow)} · ${node}`
  const cell = {
    row,
    place: flow === undefined ? t.standard : `${nameFlow(flow)}, ${node}, ${card}`,
    source,
  }
  return (
    <>
      <Table.Td className="foreign">
        {flow !== undefined && openFlow ? (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            onClick={() => openFlow(flow)}
          >
            {place}
          </Anchor>
        ) : (
          <Text size="sm">{place}</Text>
        )}
        {flow !== undefined && (
          <Text size="xs" c="dimmed">
            {card}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Original {...cell} />
      </Table.Td>
      {languages.map((language) => (
        <Table.Td key={language}>
          <Translated {...cell} language={language} />
        </Table.Td>
      ))}
    </>
  )
}

interface CellProps {
  row: TextRow
  place: string
  source: TextSource
}

/** Sentences of the engine are in English, and can be replaced in another language of the bot. */
function Original({ row, place, source }: CellProps) {
  const { original, mayWrite, change } = source
  const problem = useProblemAt(row.pointer ?? nowhere, { withParts: true })
  if (row.pointer === null) {
    if (original === undefined || original.split('-')[0] === 'en')
      return <Text size="sm">{row.text}</Text>
    return <Translated row={row} place={place} source={source} language={original} />
  }
  return (
    <Field
      label={t.textIn(place)}
      value={row.text}
      error={problem}
      isEnabled={mayWrite}
      isRequired
      onChange={(text) => change(row, null, text)}
    />
  )
}

function Translated({ row, place, source, language }: CellProps & { language: string }) {
  const { mayWrite, change } = source
  const { state, text } = row.translations[language] ?? { state: 'missing', text: null }
  const name = nameLanguage(language)
  const problem = useProblemAt(toTranslationPointer(language, row.key), {
    withParts: true,
  })
  const write = (written: string | null) => change(row, language, written)
  return (
    <>
      <Field
        label={t.translationIn(name, place)}
        value={text ?? ''}
        error={problem}
        isEnabled={mayWrite}
        placeholder={row.text}
        language={language}
        onChange={write}
      />
      {state !== 'translated' && (
        <Group gap={6} mt={4}>
          <Text size="xs" c={state === 'missing' ? 'dimmed' : 'var(--bad)'}>
            {t.states[state]}
          </Text>
          {state === 'outdated' && mayWrite && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t.confirmIn(name, place)}
              onClick={() => write(text)}
            >
              {t.confirm}
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

const toTranslationPointer = (language: string, key: string) =>
  `/languages/translations/${language}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

interface FieldProps {
  label: string
  value: string
  error: string | undefined
  isEnabled: boolean
  isRequired?: boolean
  placeholder?: string
  language?: string
  onChange: (text: string) => void
}

/** An empty original is not stored, so the field keeps what a person types in its place. */
function Field({
  label,
  value,
  error,
  isEnabled,
  isRequired,
  placeholder,
  language,
  onChange,
}: FieldProps) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <Textarea
      aria-label={label}
      autosize
      value={isEmpty ? '' : value}
      error={isEmpty ? t.required : error}
      disabled={!isEnabled}
      {...(placeholder !== undefined && { placeholder })}
      {...(language !== undefined && { lang: language, dir: 'auto' })}
      onBlur={() => setEmpty(false)}
      onChange={(event) => {
        const text = event.currentTarget.value
        const isMissing = isRequired === true && text.trim() === ''
        setEmpty(isMissing)
        if (!isMissing) onChange(text)
      }}
    />
  )
}
