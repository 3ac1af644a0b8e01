// The page of texts for people who may edit texts and nothing else: the server takes texts by their keys.
import type { DraftTextEntry } from '@botstead/contract'
import type { FoundTranslation, TextChange } from '@botstead/flows/texts'
import { Group, Text } from '@mantine/core'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { notifyFailed } from '../../../parts/notify.ts'
import { Page } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { type TextRow, type TextSource, toId } from './text-source.ts'
import { TextsView } from './texts-view.tsx'

const t = texts.studio.languages

interface TextsPageData {
  original: string | null
  languages: string[]
  texts: DraftTextEntry[]
  meta: { nextToken?: string }
}

const pageSize = 500
const pauseMs = 600

export function TextsPage() {
  const { botId, client } = useBot()
  const query = usePages<TextsPageData>(
    ['texts', botId],
    (page, options) =>
      client.platform.listDraftTexts(
        { params: { botId }, query: { pageSize, ...page } },
        options,
      ),
    { refetchOnFocus: true },
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return <Loaded query={query}>{(data) => <EditedTexts key={botId} {...data} />}</Loaded>
}

function EditedTexts({ pages }: InfiniteData<TextsPageData>) {
  const { changes, change, state } = useChanges()
  const may = useMay()
  const source = useMemo((): TextSource => {
    const [{ original, languages } = { original: null, languages: [] }] = pages
    const rows = pages
      .flatMap(({ texts }) => texts)
      .map((entry, at) => toRow(entry, at, changes))
    return {
      original: original ?? undefined,
      languages,
      rows,
      mayWrite: may('texts.write'),
      change,
    }
  }, [pages, changes, change, may])
  return (
    <Page title={t.pageTitle} fills>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t.publishHint}
        </Text>
        <Text size="xs" c="dimmed" role="status">
          {state}
        </Text>
      </Group>
      <div className="panel" style={{ display: 'flex', flex: 1, minHeight: 320 }}>
        <TextsView source={source} hasDocument={false} />
      </div>
    </Page>
  )
}

type SentChange = TextChange & { original: string }
type Changes = ReadonlyMap<string, SentChange>

const toChangeId = (row: Pick<TextRow, 'key' | 'pointer'>, language: string | null) =>
  `${language} ${toId(row)}`

/** Returns the text of the server with the changes that are being stored. */
function toRow(entry: DraftTextEntry, at: number, changes: Changes): TextRow {
  const { key, text, isStandard, flow, node, card } = entry
  // Keys change with the first translation of a card; the order of texts does not.
  const row = { key, pointer: isStandard ? null : String(at) }
  const translations = Object.fromEntries(
    Object.entries(entry.translations).map(
      ([language, found]): [string, FoundTranslation] => {
        const changed = changes.get(toChangeId(row, language))
        if (!changed) return [language, found]
        const isMissing = changed.text === null || changed.text.trim() === ''
        return [
          language,
          { state: isMissing ? 'missing' : 'translated', text: changed.text },
        ]
      },
    ),
  )
  const changed = changes.get(toChangeId(row, null))
  return { ...row, text: changed?.text ?? text, flow, node, cardType: card, translations }
}

/** Stores changes after a pause. Those that the server rejects are reported, and the former texts return. */
function useChanges() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [changes, setChanges] = useState<Changes>(new Map())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef<Changes>(changes)
  latest.current = changes
  const { mutate, isPending } = useMutation({
    mutationFn: async (sent: Changes) => {
      const body = { changes: [...sent.values()] }
      await client.platform.saveDraftTexts({ params: { botId }, body })
    },
    onError: notifyFailed,
    onSettled: async (_data, _error, sent) => {
      await queries.invalidateQueries({ queryKey: ['texts', botId] })
      // Those that have been typed meanwhile stay.
      setChanges((now) => new Map([...now].filter(([id, each]) => sent.get(id) !== each)))
    },
    scope: { id: `texts ${botId}` },
  })
  useEffect(() => {
    clearTimeout(timer.current)
    if (changes.size > 0 && !isPending)
      timer.current = setTimeout(() => mutate(changes), pauseMs)
    return () => clearTimeout(timer.current)
  }, [changes, isPending, mutate])
  useEffect(
    () => () => void (latest.current.size > 0 && mutate(latest.current)),
    [mutate],
  )
  const change = useCallback(
    (row: TextRow, language: string | null, text: string | null) =>
      setChanges((now) => {
        const id = toChangeId(row, language)
        // The original that the server knows, not one that is being typed.
        const known = now.get(id)?.original ?? now.get(toChangeId(row, null))?.original
        const changed = { key: row.key, language, text, original: known ?? row.text }
        return new Map(now).set(id, changed)
      }),
    [],
  )
  const isSaved = changes.size === 0
  return {
    changes,
    change,
    state: isSaved ? texts.studio.states.saved : texts.studio.states.saving,
  }
}
