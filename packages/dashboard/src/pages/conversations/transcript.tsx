// A transcript of any length: only visible messages are in the document.
import type { DeadLetter, Feedback, Message, TranscriptMessage } from '@botstead/contract'
import { Anchor, Badge, Group, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useBot } from '../../api/scope.ts'
import { useIsVisible } from '../../api/shown.ts'
import { useMemberName } from '../../features/handoffs/members.ts'
import { MessageView } from '../../parts/messages/message-view.tsx'
import { UserLink } from '../../parts/objects/object-links.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { exactTime, Moment } from '../../parts/texts/moment.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { useFailedEvents } from '../../parts/traces/failed-events.tsx'
import { texts } from '../../texts/texts.ts'
import { noteSeen } from './seen.ts'
import classes from './transcript.module.css'
import { UnsentMessage, useUnsentMessages } from './unsent-message.tsx'
import { useRatings } from './use-ratings.ts'
import { useTranscript } from './use-transcript.ts'

const t = texts.conversations
const rowHeight = 90
/** Messages before the end of the list at which the next page loads. */
const ahead = 10

interface TranscriptProps {
  conversationId: string
  /** Id of the message to begin at. */
  around: string | undefined
  open: (message: TranscriptMessage) => void
  /** Content below a message; `before`: those that are loaded, the oldest first. */
  below?: (message: TranscriptMessage, before: TranscriptMessage[]) => ReactNode
  /** Called with the last message of the user that is visible. */
  onVisible?: (message: Message) => void
}

export function Transcript(props: TranscriptProps) {
  const transcript = useTranscript(props.conversationId, props.around)
  const ratings = useRatings(props.conversationId)
  const unsent = useUnsentMessages(props.conversationId)
  const { query, messages } = transcript
  const oldest = messages?.[0]?.message.createdAt
  // They come with the first page.
  const { ofMessages } = useFailedEvents(messages && props.conversationId, oldest)
  if (!messages && query.error)
    return <Failed error={query.error} retry={() => void query.refetch()} />
  if (!messages) return <Loading />
  if (messages.length === 0) return <Empty title={t.noMessages} />
  return (
    <Messages
      {...props}
      {...transcript}
      messages={messages}
      failed={ofMessages}
      ratings={ratings}
      unsent={unsent}
    />
  )
}

type MessagesProps = TranscriptProps &
  ReturnType<typeof useTranscript> & {
    messages: TranscriptMessage[]
    /** Events that the bot failed to handle, by the id of their message. */
    failed: ReadonlyMap<string, unknown>
    ratings: ReturnType<typeof useRatings>
    unsent: ReturnType<typeof useUnsentMessages>
  }

function Messages(props: MessagesProps) {
  const { failed, ratings, unsent, around, open, below, onVisible } = props
  const { query, messages, mayHaveNewer } = props
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => messages[index]!.message.id,
    overscan: 8,
  })
  useFirstPosition(virtualizer, messages, around)
  useSteadyPosition(scroller, messages)
  useFollowedEnd(scroller, virtualizer, messages)
  useVisibility(messages, virtualizer.range?.endIndex, onVisible)
  useSeen(props.conversationId, messages)
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const { hasPreviousPage, isFetching, fetchPreviousPage, fetchNextPage } = query
  useEffect(() => {
    if (isFetching) return
    if (first < ahead && hasPreviousPage) void fetchPreviousPage()
    else if (last >= messages.length - ahead && mayHaveNewer) void fetchNextPage()
  }, [
    first,
    last,
    messages.length,
    mayHaveNewer,
    hasPreviousPage,
    isFetching,
    fetchPreviousPage,
    fetchNextPage,
  ])
  return (
    <section
      ref={scroller}
      className="rows panel"
      style={{ flex: 1 }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      aria-label={t.transcript}
    >
      <ul className="rows-canvas" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <li
            aria-setsize={-1}
            aria-posinset={index + 1}
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className={`list-row transcript-row ${messages[index]!.message.id === around ? 'marked' : ''}`}
            style={{ transform: `translateY(${start}px)` }}
          >
            <MessageRow
              row={messages[index]!}
              next={messages[index + 1]}
              isFailed={failed.has(messages[index]!.message.id)}
              rating={ratings.get(messages[index]!.message.id)}
              unsent={unsent.get(messages[index]!.message.id)}
              open={open}
            />
            {below?.(messages[index]!, messages.slice(0, index))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Reports the last message of the user up to the end of the visible part. */
function useVisibility(
  messages: TranscriptMessage[],
  end: number | undefined,
  onVisible: TranscriptProps['onVisible'],
) {
  const shown = end === undefined ? [] : messages.slice(0, end + 1)
  const last = shown.findLast(({ message }) => message.direction === 'incoming')?.message
  useEffect(() => {
    if (last) onVisible?.(last)
  }, [last, onVisible])
}

/** Scrolls to the message in question, or to the end, once. */
function useFirstPosition(
  virtualizer: {
    scrollToIndex: (index: number, options: { align: 'center' | 'end' }) => void
  },
  messages: TranscriptMessage[],
  around: string | undefined,
) {
  const done = useRef(false)
  useEffect(() => {
    if (done.current) return
    done.current = true
    const at = messages.findIndex(({ message }) => message.id === around)
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'center' })
    else virtualizer.scrollToIndex(messages.length - 1, { align: 'end' })
  }, [virtualizer, messages, around])
}

/** Keeps the visible messages in place when earlier ones are added above them. */
function useSteadyPosition(
  scroller: React.RefObject<HTMLElement | null>,
  messages: TranscriptMessage[],
) {
  const firstId = useRef(messages[0]?.message.id)
  useLayoutEffect(() => {
    const added = messages.findIndex(({ message }) => message.id === firstId.current)
    if (added > 0) scroller.current?.scrollBy({ top: added * rowHeight })
    firstId.current = messages[0]?.message.id
  }, [scroller, messages])
}

/** Distance from the end, in pixels, at which new messages are followed. */
const nearEnd = 120

/** Keeps the end visible after new messages, and when the list shrinks, as above a keyboard. */
function useFollowedEnd(
  scroller: React.RefObject<HTMLElement | null>,
  virtualizer: { scrollToIndex: (index: number, options: { align: 'end' }) => void },
  messages: TranscriptMessage[],
) {
  const isAtEnd = useRef(true)
  const followed = useRef('')
  const lastId = messages.at(-1)!.message.id
  const last = useRef(0)
  last.current = messages.length - 1
  useEffect(() => {
    const element = scroller.current!
    const measure = () => {
      const { scrollHeight, scrollTop, clientHeight } = element
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd
    }
    const follow = () =>
      isAtEnd.current && virtualizer.scrollToIndex(last.current, { align: 'end' })
    const resized = new ResizeObserver(() => followed.current && follow())
    element.addEventListener('scroll', measure, { passive: true })
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      resized.disconnect()
    }
  }, [scroller, virtualizer])
  useEffect(() => {
    const isNew = followed.current !== '' && followed.current !== lastId
    followed.current = lastId
    if (isNew && isAtEnd.current)
      virtualizer.scrollToIndex(last.current, { align: 'end' })
  }, [virtualizer, lastId])
}

/** Keeps one object per message: React replaces the view for another one, which loses clicks and ends audio. */
const payloads = new WeakMap<Message, Record<string, unknown>>()
function getPayload(message: Message): Record<string, unknown> {
  const known = payloads.get(message) ?? { type: message.type, ...message.payload }
  payloads.set(message, known)
  return known
}

function toKind({ message, author }: TranscriptMessage): keyof typeof t.authors {
  if (message.direction === 'incoming') return 'user'
  // Members answer in place of the bot, under their own names.
  return author.accountId === undefined ? 'bot' : 'member'
}

/** The account of a member who answered may have no name for users. */
const MemberName = ({ accountId }: { accountId: string }) =>
  useMemberName([accountId])(accountId)

/** The list of conversations marks later messages. */
function useSeen(conversationId: string, messages: TranscriptMessage[]) {
  const { botId } = useBot()
  const isVisible = useIsVisible()
  const last = messages.at(-1)?.message.createdAt
  useEffect(() => {
    if (isVisible && last) noteSeen(botId, conversationId, last)
  }, [isVisible, botId, conversationId, last])
}

interface MessageRowProps {
  row: TranscriptMessage
  /** It may answer a choice of this one. */
  next: TranscriptMessage | undefined
  /** Whether the bot failed to handle it. */
  isFailed: boolean
  rating: Feedback | undefined
  /** Its dead letter. */
  unsent: DeadLetter | undefined
  open: TranscriptProps['open']
}

function MessageRow({ row, next, isFailed, rating, unsent, open }: MessageRowProps) {
  const { message, author } = row
  const isOfUser = message.direction === 'incoming'
  const ofBot = toKind(row) === 'bot' ? classes.ofBot : ''
  return (
    <div className={`${classes.message} ${isOfUser ? '' : classes.atEnd} ${ofBot}`}>
      <Group gap="xs" wrap="nowrap" className={classes.head}>
        <Text size="sm" fw={600} className="foreign one-line" component="div">
          {author.isBot ? (
            (author.name ?? t.bot)
          ) : (
            <UserLink id={author.id}>
              {author.accountId && !author.name ? (
                <MemberName accountId={author.accountId} />
              ) : (
                nameOfUser(author)
              )}
            </UserLink>
          )}
        </Text>
        <Badge size="sm" variant="default" tt="none">
          {t.authors[toKind(row)]}
        </Badge>
        <Moment at={message.createdAt} />
        <Anchor
          component="button"
          size="sm"
          onClick={() => open(row)}
          aria-label={t.detailsOf(exactTime(message.createdAt))}
        >
          {t.details}
        </Anchor>
      </Group>
      <MessageView
        payload={getPayload(message)}
        isOwn={isOfUser}
        isAtEnd={!isOfUser && ofBot === ''}
        answer={next?.message.direction === 'incoming' && getPayload(next.message)}
      />
      {rating && (
        <Text size="xs" c="dimmed" className="foreign">
          {t.rated(rating)}
        </Text>
      )}
      {unsent && <UnsentMessage letter={unsent} />}
      {isFailed && (
        <Text size="xs" c="var(--bad)">
          {t.failed}
        </Text>
      )}
    </div>
  )
}
