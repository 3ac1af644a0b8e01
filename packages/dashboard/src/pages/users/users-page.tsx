// The users of a bot, with search.

import type { FoundUser as Row } from '@botstead/contract'
import { Group, Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import type { Filters as Search } from '../../api/filters.ts'
import { useRefreshOnMessages } from '../../api/live.tsx'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { OpenPersonRules } from '../../features/persons/open-person-rules.tsx'
import {
  ChoiceFilter,
  IntegrationFilter,
  TextFilter,
} from '../../parts/forms/filter-fields.tsx'
import { FoldedFilters } from '../../parts/forms/filters.tsx'
import { toTags } from '../../parts/forms/typed-filter.ts'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { Sentence } from '../../parts/texts/sentence.tsx'
import { UserMark } from '../../parts/texts/user-mark.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { TestUser } from './test-user.tsx'

const t = texts.users

const shown = Object.entries(t.shown).map(([value, label]) => ({ value, label }))
const toLabel = (name: string) => (value: string) =>
  texts.conversations.filtered(
    name,
    shown.find((choice) => choice.value === value)?.label ?? value,
  )

const labels = {
  tag: (value: string) => texts.conversations.filtered(t.tag, value),
  integration: (value: string) => texts.conversations.filtered(t.integration, value),
  silent: toLabel(t.silent),
  members: toLabel(t.members),
}

export function UsersPage() {
  const { workspaceId, botId, client } = useBot()
  const filters: Search = useSearch({ strict: false })
  const { name, tag, integration, silent, members } = filters
  const tags = toTags(tag)
  useRefreshOnMessages(botId, 'users')
  const search = {
    ...(name && { name }),
    ...(tags && { tags }),
    ...(integration && { integration }),
    ...(silent !== 'shown' && { hasMessages: silent !== 'only' }),
    ...(members !== 'shown' && { isMember: members === 'only' }),
  }
  const query = usePages(['users', botId, 'list', search], (page, options) =>
    client.platform.searchUsers({ query: { ...search, pageSize: 50, ...page } }, options),
  )
  return (
    <Page title={t.title} fills actions={<OpenPersonRules />}>
      <FoldedFilters
        search={{ name: 'name', field: <TextFilter name="name" label={t.name} /> }}
        labels={labels}
      >
        <TextFilter name="tag" label={t.tag} placeholder={t.tagHint} maxLength={500} />
        <IntegrationFilter label={t.integration} />
        <ChoiceFilter
          name="silent"
          label={t.silent}
          placeholder={t.hidden}
          choices={shown}
        />
        <ChoiceFilter
          name="members"
          label={t.members}
          placeholder={t.hidden}
          choices={shown}
        />
      </FoldedFilters>
      <Text size="sm" c="dimmed" component="div">
        <Sentence text={t.byMessage}>
          <BotLink page="conversations" search={name ? { text: name } : {}}>
            {t.toMessages}
          </BotLink>
        </Sentence>
      </Text>
      <RowList
        label={t.title}
        query={query}
        getRows={({ users }) => users}
        getKey={({ user }) => user.id}
        columns={columns}
        wrap={({ user }, cells, className) => (
          <Link
            to="/w/$workspaceId/bots/$botId/users/$userId"
            params={{ workspaceId, botId, userId: user.id }}
            className={className}
          >
            {cells}
          </Link>
        )}
        empty={
          ['name', ...Object.keys(labels)].some((each) => filters[each]) ? (
            <Empty title={t.noneFound} hint={!(silent && members) && t.hiddenHint} />
          ) : (
            <Empty title={t.empty} hint={t.emptyHint} />
          )
        }
      />
    </Page>
  )
}

const columns: Column<Row>[] = [
  {
    title: t.name,
    width: 'minmax(0, 2fr)',
    cell: ({ user, fid, integration, isMember, conversationCount }) => (
      <Group gap="sm" wrap="nowrap">
        <UserMark user={user} />
        <div style={{ minWidth: 0 }}>
          <Group gap={6} wrap="nowrap">
            <Text className="foreign one-line" fw={600} size="sm">
              {nameOfUser({ ...user, fid })}
            </Text>
            <TestUser user={user} />
          </Group>
          <Text className="foreign one-line wide-only" c="dimmed" size="xs">
            {user.id}
          </Text>
          <Text className="foreign one-line narrow-only" c="dimmed" size="xs">
            {[isMember && t.member, integration, t.conversationCount(conversationCount)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
      </Group>
    ),
  },
  {
    title: t.integration,
    width: '140px',
    wideOnly: true,
    cell: ({ integration, isMember }) => (
      <Text size="sm" className="foreign one-line">
        {isMember ? t.member : integration}
      </Text>
    ),
  },
  {
    title: t.conversations,
    width: '120px',
    wideOnly: true,
    cell: ({ conversationCount }) => <Text size="sm">{conversationCount}</Text>,
  },
  {
    title: t.lastMessage,
    width: '110px',
    cell: ({ lastActiveAt }) =>
      lastActiveAt ? (
        <Moment at={lastActiveAt} />
      ) : (
        <Text size="sm" c="dimmed">
          {t.never}
        </Text>
      ),
  },
]
