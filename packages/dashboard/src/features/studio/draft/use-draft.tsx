// The draft of the bot of the page, for all parts of the page.
import type { Client } from '@botstead/client'
import type { ChangeNote } from '@botstead/contract'
import { useDebouncedCallback } from '@mantine/hooks'
import { newId } from 'page/ids.js'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNotes } from '../../../api/live.tsx'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { InputError } from '../../../parts/forms/input-error.ts'
import { notifyFailed } from '../../../parts/notify.ts'
import { Empty, Loaded, toReason } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { describePlace } from '../flows/places.ts'
import { draftServer, isFinal, NoFlows } from './draft-server.ts'
import { type DraftEvents, type DraftSnapshot, DraftStore } from './draft-store.ts'
import { type Edit, MissingPart } from './edits.ts'
import { takeFirstRead } from './first-read.ts'
import { keptEdits, leaseMs } from './kept-edits.ts'

const t = texts.studio

/** Without the document, so a card is named by its number alone: the part may not exist any more. */
const listPlaces = (parts: { pointer: string }[]) =>
  parts.map(({ pointer }) => describePlace(pointer, {})).join(texts.common.comma)

const events: DraftEvents = {
  onOverwritten: (parts) =>
    notifyFailed(new InputError(t.overwritten, listPlaces(parts))),
  onLost: (reason, edits, error) =>
    notifyFailed(
      new InputError(
        t.lost[reason],
        error === undefined ? listPlaces(edits) : toReason(error),
      ),
    ),
}

export interface Studio extends DraftSnapshot {
  store: DraftStore
  /** False for roles that may only read the bot. */
  isEditor: boolean
  /** Applies edits; with parts that no longer exist, it only reports them. */
  edit: (edits: Edit[]) => void
}

const Context = createContext<Studio | null>(null)

/** Returns the draft for parts of the page. */
export function useStudio(): Studio {
  const studio = useContext(Context)
  if (!studio) throw new Error('This part is outside of a page with a draft')
  return studio
}

/** Stores of pages that were left. The next page of the bot begins when their edits are stored. */
const closing = new Map<string, Promise<void>>()

/** Loads the draft, and the functions that change its text, beside each other. */
interface DraftOfBotProps {
  /** Shows the states of the request. */
  frame: (content: ReactNode) => ReactNode
  /** For a bot made of code, in place of an explanation. */
  withoutFlows?: ReactNode
  children: ReactNode
}

export function DraftOfBot({ frame, withoutFlows, children }: DraftOfBotProps) {
  const { botId } = useBot()
  const opened = useOpenedStore()
  if (opened.error instanceof NoFlows)
    return withoutFlows ?? frame(<Empty title={t.noFlows} hint={t.noFlowsHint} />)
  if (!opened.data) return frame(<Loaded query={opened}>{() => null}</Loaded>)
  return (
    <WithStore key={botId} store={opened.data}>
      {children}
    </WithStore>
  )
}

interface Opened {
  data: DraftStore | undefined
  error: Error | null
}

/** Until a draft that may have changed while it was read is read again: the page is shown first. */
const againMs = 1_000
/** Until a server that is away, such as while it restarts, is asked for the draft again. */
const retryMs = 3_000

const notOpened: Opened = { data: undefined, error: null }

/** No query: a refetch after missed notes would open another store beside this one. */
function useOpenedStore() {
  const { botId, client } = useBot()
  const [opened, setOpened] = useState<Opened>(notOpened)
  const [attempt, refetch] = useReducer((count: number) => count + 1, 0)
  // A note may arrive while the draft is read.
  const latest = useRef<{ store?: DraftStore; isOutdated: boolean }>({
    isOutdated: false,
  })
  const refresh = useCallback((revision?: number) => {
    latest.current.isOutdated = true
    void latest.current.store?.refresh(revision).catch(() => {})
  }, [])
  const refreshSoon = useDebouncedCallback(refresh, againMs)
  useChangesOfOthers(botId, refresh, refreshSoon)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it again
  useEffect(() => {
    let isLeft = false
    let store: DraftStore | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const reading = takeFirstRead(botId)
    latest.current = { isOutdated: reading !== undefined }
    openStore(client, botId, reading).then(
      (data) => {
        if (isLeft) return void data.close()
        store = data
        latest.current.store = data
        if (latest.current.isOutdated) refreshSoon()
        setOpened({ data, error: null })
      },
      (error) => {
        if (isLeft) return
        setOpened({ data: undefined, error })
        if (!isFinal(error)) timer = setTimeout(refetch, retryMs)
      },
    )
    return () => {
      isLeft = true
      clearTimeout(timer)
      if (store) closing.set(botId, store.close())
      setOpened(notOpened)
    }
  }, [botId, client, attempt])
  return { ...opened, refetch }
}

async function openStore(
  client: Client,
  botId: string,
  reading: ReturnType<typeof takeFirstRead>,
): Promise<DraftStore> {
  const loading = import('./document-tools.ts')
  await closing.get(botId)
  const kept = keptEdits(localStorage, botId, newId())
  const server = draftServer(client, botId)
  // The request goes out before the functions have loaded.
  const begun = await reading?.catch(() => null)
  const first = begun?.draft ?? server.read()
  first.catch(() => {})
  const { documentTools: tools } = await loading
  return DraftStore.open({ server, tools, kept, events }, first)
}

function WithStore({ store, children }: { store: DraftStore; children: ReactNode }) {
  const isEditor = useMay()('bots.update')
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot)
  useLeaving(store)
  const edit = useCallback(
    (edits: Edit[]) => {
      try {
        store.edit(edits)
      } catch (error) {
        if (!(error instanceof MissingPart)) throw error
        events.onLost('missing', edits)
      }
    },
    [store],
  )
  return <Context value={{ ...snapshot, store, isEditor, edit }}>{children}</Context>
}

/** Calls `refresh` after a change of the draft, and `refreshSoon` after one may have been missed. */
function useChangesOfOthers(
  botId: string,
  refresh: (revision?: number) => void,
  refreshSoon: () => void,
) {
  const receive = useCallback(
    ({ topic, botId: changed, id }: ChangeNote) => {
      const isOfDraft = topic === 'drafts' && (!changed || changed === botId)
      // Before the stream began, changes had no notes.
      if (isOfDraft) refresh(id === undefined ? undefined : Number(id))
      else if (topic === 'reset' || topic === 'ready') refreshSoon()
    },
    [botId, refresh, refreshSoon],
  )
  useNotes(receive)
}

/** Stores the edits before the page is hidden or closed, and when the browser is online again. */
function useLeaving(store: DraftStore) {
  useEffect(() => {
    const flush = () => void store.flush()
    const onHidden = () => document.visibilityState === 'hidden' && flush()
    const timer = setInterval(() => store.keep(), leaseMs / 3)
    const release = () => store.leave()
    document.addEventListener('visibilitychange', onHidden)
    addEventListener('online', flush)
    addEventListener('pagehide', release)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onHidden)
      removeEventListener('online', flush)
      removeEventListener('pagehide', release)
    }
  }, [store])
}
