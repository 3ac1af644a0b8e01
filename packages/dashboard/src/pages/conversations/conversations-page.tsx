// The conversations of a bot, with search and filters.

import type { FoundConversation as Row } from '@botstead/contract'
import { Badge, Group, Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Filters as Search } from '../../api/filters.ts'
import { useRefreshOnMessages } from '../../api/live.tsx'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import {
  ChoiceFilter,
  DateFilter,
  IntegrationFilter,
  TextFilter,
} from '../../parts/forms/filter-fields.tsx'
import { FoldedFilters } from '../../parts/forms/filters.tsx'
import { toTags } from '../../parts/forms/typed-filter.ts'
import { UserFilter, useUserLabel } from '../../parts/forms/user-choice.tsx'
import {
  fromFirstMark,
  MarkedText,
  toMatcher,
} from '../../parts/messages/marked-text.tsx'
import { toText } from '../../parts/messages/message-text.ts'
import { toShortPage, toVisit } from '../../parts/messages/visit.ts'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { UserMark } from '../../parts/texts/user-mark.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { useUnseen } from './seen.ts'

const t = texts.conversations

export function ConversationsPage() {
  const { workspaceId, botId, client } = useBot()
  const filters: Search = useSearch({ strict: false })
  const search = toSearch(filters)
  const { text } = search
  // The words of a new message are found some seconds later.
  useRefreshOnMessages(botId, 'conversations', {
    topic: filters.text ? 'messageSearch' : 'messages',
  })
  const query = usePages(['conversations', botId, 'list', search], (page, options) =>
    client.platform.searchConversations(
      { query: { ...search, pageSize: 50, ...page } },
      options,
    ),
  )
  const isUnseen = useUnseen(botId)
  const columns = useMemo(
    () =>
      toColumns(
        botId,
        text,
        ({ conversation, lastUserMessage }) =>
          lastUserMessage !== undefined &&
          isUnseen(conversation.id, lastUserMessage.createdAt),
      ),
    [botId, text, isUnseen],
  )
  return (
    <Page title={t.title} fills>
      <FilterFields />
      <RowList
        label={t.title}
        query={query}
        getRows={({ conversations }) => conversations}
        getKey={({ conversation }) => conversation.id}
        columns={columns}
        wrap={({ conversation, match }, cells, className) => (
          <Link
            to="/w/$workspaceId/bots/$botId/conversations/$conversationId"
            params={{ workspaceId, botId, conversationId: conversation.id }}
            search={match ? { message: match.id } : {}}
            className={className}
          >
            {cells}
          </Link>
        )}
        empty={
          filterNames.some((name) => filters[name]) ? (
            <Empty title={t.noneFound} hint={!filters.silent && t.hiddenHint} />
          ) : (
            <Empty title={t.empty} hint={t.emptyHint} />
          )
        }
      />
    </Page>
  )
}

function toSearch(filters: Search) {
  const { text, tag, user, integration, errors, feedback, after, before, silent } =
    filters
  const tags = toTags(tag)
  return {
    ...(text && { text }),
    ...(tags && { tags }),
    ...(user && { userId: user }),
    ...(integration && { integration }),
    ...(errors && { hasErrors: errors === 'true' }),
    ...(feedback && { feedback: feedback as 'any' }),
    ...(after && { afterDate: after }),
    // The whole day.
    ...(before && { beforeDate: `${before}T23:59:59.999Z` }),
    // Pages of a website may open a conversation before the visitor writes.
    ...(silent !== 'shown' && { hasUserMessages: silent !== 'only' }),
  }
}

const toChoices = (choices: Record<string, string>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }))

/** Values of the address may have no text. */
const toLabel =
  (name: string, choices: Record<string, string> = {}) =>
  (value: string) =>
    t.filtered(name, Object.hasOwn(choices, value) ? choices[value]! : value)

const labels = {
  tag: toLabel(t.filters.tag),
  integration: toLabel(t.filters.integration),
  errors: toLabel(t.filters.errors, t.filters.hasErrors),
  feedback: toLabel(t.filters.feedback, t.filters.feedbacks),
  after: toLabel(t.filters.after),
  before: toLabel(t.filters.before),
  silent: toLabel(t.filters.silent, t.filters.shown),
}
const filterNames = ['text', 'user', ...Object.keys(labels)]

function FilterFields() {
  const { user }: Search = useSearch({ strict: false })
  const userLabel = useUserLabel(user)
  return (
    <FoldedFilters
      search={{
        name: 'text',
        field: <TextFilter name="text" label={t.filters.text} maxLength={500} />,
      }}
      labels={{ user: () => t.filtered(t.filters.user, userLabel), ...labels }}
    >
      <TextFilter
        name="tag"
        label={t.filters.tag}
        placeholder={t.filters.tagHint}
        maxLength={500}
      />
      <UserFilter name="user" label={t.filters.user} />
      <IntegrationFilter label={t.filters.integration} />
      <ChoiceFilter
        name="errors"
        label={t.filters.errors}
        choices={toChoices(t.filters.hasErrors)}
      />
      <ChoiceFilter
        name="feedback"
        label={t.filters.feedback}
        choices={toChoices(t.filters.feedbacks)}
      />
      <DateFilter name="after" label={t.filters.after} />
      <DateFilter name="before" label={t.filters.before} />
      <ChoiceFilter
        name="silent"
        label={t.filters.silent}
        placeholder={t.filters.hidden}
        choices={toChoices(t.filters.shown)}
      />
    </FoldedFilters>
  )
}

function toNames({ participants, participantCount }: Row): string {
  const names = participants.map(nameOfUser)
  const more = participantCount - names.length
  if (names.length === 0) return t.noParticipants
  return names.join(texts.common.comma) + (more > 0 ? ` ${t.more(more)}` : '')
}

type IsUnread = (row: Row) => boolean

const toColumns = (
  botId: string,
  search: string | undefined,
  isUnread: IsUnread,
): Column<Row>[] => [
  {
    title: t.names,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: (row) => <Visitor row={row} />,
  },
  {
    title: search ? t.match : t.last,
    width: 'minmax(0, 4fr)',
    cell: (row) => (
      <>
        <LastMessage row={row} search={search} isUnread={isUnread(row)} botId={botId} />
        <Marks row={row} isUnread={isUnread(row)} />
      </>
    ),
  },
  {
    title: t.count,
    width: '90px',
    wideOnly: true,
    cell: ({ conversation }) => <Text size="sm">{conversation.messageCount}</Text>,
  },
  {
    title: t.active,
    width: '110px',
    cell: ({ conversation, lastMessage }) => (
      <Moment at={lastMessage?.createdAt ?? conversation.createdAt} />
    ),
  },
]

function Visitor({ row }: { row: Row }) {
  const { page, language } = toVisit(row.lastUserMessage)
  const [first] = row.participants
  return (
    <Group gap="sm" wrap="nowrap">
      {first && <UserMark user={first} />}
      <div style={{ minWidth: 0 }}>
        <Text className="foreign one-line" fw={600} size="sm">
          {toNames(row)}
        </Text>
        <Text size="xs" c="dimmed" className="foreign one-line">
          {[row.conversation.integration, language, page && toShortPage(page)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
    </Group>
  )
}

interface LastMessageProps {
  row: Row
  search: string | undefined
  isUnread: boolean
  botId: string
}

/** The match of a search, or what the visitor wrote last, with the answer to it. */
function LastMessage({ row, search = '', isUnread, botId }: LastMessageProps) {
  const { lastMessage, lastUserMessage, match } = row
  const isFound = toMatcher(search)
  const shown = match ?? lastUserMessage
  const answer = lastMessage?.direction === 'outgoing' && !match ? lastMessage : undefined
  return (
    <>
      <Text
        size="sm"
        className="foreign one-line"
        {...(isUnread && { fw: 600 })}
        {...(!shown && { c: 'dimmed' })}
      >
        {match ? (
          <MarkedText text={fromFirstMark(toText(match), isFound)} isMarked={isFound} />
        ) : (
          toWords(row)
        )}
      </Text>
      {answer && (
        <Text size="xs" c="dimmed" className="foreign one-line">
          {t.by(
            answer.userId === botId ? t.authors.bot : t.authors.member,
            toText(answer),
          )}
        </Text>
      )}
    </>
  )
}

function toWords({ lastMessage, lastUserMessage }: Row): string {
  if (lastUserMessage) return toText(lastUserMessage)
  return lastMessage ? t.noUserMessage : t.noMessages
}

function Marks({ row, isUnread }: { row: Row; isUnread: boolean }) {
  const { lastMessage, deadLetterCount, feedback } = row
  return (
    <Group gap={4}>
      {isUnread && (
        <Badge size="sm" title={t.unreadHint}>
          {t.unread}
        </Badge>
      )}
      {lastMessage?.direction === 'incoming' && (
        <Badge size="sm" variant="default" title={t.unansweredHint}>
          {t.unanswered}
        </Badge>
      )}
      {deadLetterCount > 0 && (
        <Badge size="sm" color="red.8">
          {t.errors(deadLetterCount)}
        </Badge>
      )}
      {feedback.positive > 0 && (
        <Badge size="sm" variant="default">
          {t.positive(feedback.positive)}
        </Badge>
      )}
      {feedback.negative > 0 && (
        <Badge size="sm" variant="default">
          {t.negative(feedback.negative)}
        </Badge>
      )}
    </Group>
  )
}
