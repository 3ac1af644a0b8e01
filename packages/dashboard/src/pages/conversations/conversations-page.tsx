// The conversations of a bot, with search and filters.

import type { FoundConversation as Row } from '@botstead/contract'
import { Badge, Group, Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
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
import { Filters } from '../../parts/forms/filters.tsx'
import { toTags } from '../../parts/forms/typed-filter.ts'
import { UserFilter } from '../../parts/forms/user-choice.tsx'
import { fromFirstMark, MarkedText, toMatcher } from '../../parts/messages/marked-text.tsx'
import { toText } from '../../parts/messages/message-text.ts'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.conversations

export function ConversationsPage() {
  const { workspaceId, botId, client } = useBot()
  const filters: Search = useSearch({ strict: false })
  const search = toSearch(filters)
  // The words of a new message are found some seconds later.
  useRefreshOnMessages(botId, 'conversations', {
    topic: filters.text ? 'messageSearch' : 'messages',
  })
  const query = usePages(['conversations', botId, 'list', search], (page, options) =>
    client.platform.searchConversations({ query: { ...search, pageSize: 50, ...page } }, options),
  )
  return (
    <Page title={t.title} fills>
      <FilterFields />
      <RowList
        label={t.title}
        query={query}
        getRows={({ conversations }) => conversations}
        getKey={({ conversation }) => conversation.id}
        columns={toColumns(search.text)}
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
          Object.keys(search).length > 0 ? (
            <Empty title={t.noneFound} />
          ) : (
            <Empty title={t.empty} hint={t.emptyHint} />
          )
        }
      />
    </Page>
  )
}

function toSearch(filters: Search) {
  const { text, tag, user, integration, errors, feedback, after, before } = filters
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
  }
}

const toChoices = (choices: Record<string, string>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }))

const filterNames = ['text', 'tag', 'user', 'integration', 'errors', 'feedback', 'after', 'before']

function FilterFields() {
  return (
    <Filters names={filterNames}>
      <TextFilter name="text" label={t.filters.text} maxLength={500} />
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
    </Filters>
  )
}

function toNames({ participants, participantCount }: Row): string {
  const names = participants.map(nameOfUser)
  const more = participantCount - names.length
  if (names.length === 0) return t.noParticipants
  return names.join(', ') + (more > 0 ? ` ${t.more(more)}` : '')
}

const toColumns = (search: string | undefined): Column<Row>[] => [
  {
    title: t.names,
    width: 'minmax(0, 1fr)',
    fullLine: true,
    cell: (row) => (
      <>
        <Text className="foreign one-line" fw={600} size="sm">
          {toNames(row)}
        </Text>
        <Text size="xs" c="dimmed" className="foreign one-line">
          {row.conversation.integration}
        </Text>
      </>
    ),
  },
  {
    title: search ? t.match : t.last,
    width: 'minmax(0, 2fr)',
    cell: (row) => <LastMessage row={row} search={search} />,
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

interface LastMessageProps {
  row: Row
  search: string | undefined
}

function LastMessage({ row, search = '' }: LastMessageProps) {
  const { lastMessage, match, deadLetterCount, feedback } = row
  const shown = match ?? lastMessage
  const text = shown ? toText(shown) : t.noMessages
  const isFound = toMatcher(search)
  return (
    <>
      <Text size="sm" className="foreign one-line">
        {match ? <MarkedText text={fromFirstMark(text, isFound)} isMarked={isFound} /> : text}
      </Text>
      <Group gap={4}>
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
    </>
  )
}
