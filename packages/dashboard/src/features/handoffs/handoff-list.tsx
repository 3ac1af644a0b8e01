// The handoffs of a bot by state, as a table or beside an open one.
import type { HandoffDetails } from '@botstead/contract'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useFilter } from '../../api/filters.ts'
import { useCount } from '../../api/handoff-counts.ts'
import { useLastMessages } from '../../api/last-messages.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { toText } from '../../parts/messages/message-text.ts'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { UserMark } from '../../parts/texts/user-mark.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { HandoffFilters, useHandoffFilter } from './handoff-filters.tsx'
import { useMemberName } from './members.ts'

const t = texts.inbox

/** Those who wait longest come first; of closed ones, the newest. */
const listings = {
  waiting: { state: 'waiting', sortDirection: 'asc' },
  mine: { assignedTo: 'me', sortDirection: 'asc' },
  open: { state: 'open', sortDirection: 'asc' },
  closed: { state: 'closed' },
} as const
type List = keyof typeof listings

export function HandoffList({ isBeside = false }: { isBeside?: boolean }) {
  const { workspaceId, botId, client } = useBot()
  const [chosen = 'waiting', choose] = useFilter('list')
  const list: List = Object.hasOwn(listings, chosen) ? (chosen as List) : 'waiting'
  const filter = useHandoffFilter(list)
  const query = usePages(['handoffs', botId, 'list', list, filter], (page, options) =>
    client.platform.listHandoffs(
      { query: { ...filter, ...listings[list], pageSize: 50, ...page } },
      options,
    ),
  )
  const isFiltered = Object.keys(filter).length > 0
  const isPhone = useMediaQuery('(max-width: 48em)')
  const listed = query.data?.pages.flatMap(({ handoffs }) => handoffs)
  useLastMessages(listed)
  const getName = useMemberName(listed?.map(({ assignedTo }) => assignedTo) ?? [])
  const mayTakeOver = useMay()('conversations.write')
  return (
    <>
      <ListChoice list={list} choose={choose} isBeside={isBeside} />
      <HandoffFilters list={list} isBeside={isBeside} />
      <RowList
        label={t.list}
        query={query}
        getRows={({ handoffs }) => handoffs}
        getKey={({ id }) => id}
        columns={isBeside || isPhone ? narrowColumns(getName) : toColumns(list, getName)}
        wrap={({ id }, cells, className) => (
          <Link
            to="/w/$workspaceId/bots/$botId/inbox/$handoffId"
            params={{ workspaceId, botId, handoffId: id }}
            search={(search) => search}
            className={className}
            activeProps={{ className: `${className} link-active` }}
            activeOptions={{ includeSearch: false }}
          >
            {cells}
          </Link>
        )}
        empty={
          isFiltered ? (
            <Empty title={t.filters.none} />
          ) : (
            <Empty
              title={t.empty[list]}
              hint={list === 'waiting' && t.emptyHint}
              action={
                mayTakeOver &&
                list !== 'closed' && (
                  <Text size="sm" component="div">
                    {t.takeOverHint}{' '}
                    <BotLink page="conversations">{t.toConversations}</BotLink>
                  </Text>
                )
              }
            />
          )
        }
      />
    </>
  )
}

interface ListChoiceProps {
  list: List
  choose: (list: string) => void
  isBeside: boolean
}

function ListChoice({ list, choose, isBeside }: ListChoiceProps) {
  // Beside a handoff, there is only space for the names.
  const counts = {
    waiting: useCount('waiting', { state: 'waiting' }, !isBeside),
    mine: useCount('mine', { assignedTo: 'me' }, !isBeside),
    open: 0,
    closed: 0,
  }
  const toLabel = (value: List) =>
    isBeside ? t.lists[value] : t.counted(t.lists[value], counts[value])
  return (
    <SegmentedControl
      aria-label={t.which}
      size="xs"
      value={list}
      onChange={choose}
      // Longer words of other languages scroll.
      style={{
        alignSelf: isBeside ? 'stretch' : 'flex-start',
        maxWidth: '100%',
        overflowX: 'auto',
      }}
      data={(Object.keys(listings) as List[]).map((value) => ({
        value,
        label: toLabel(value),
      }))}
    />
  )
}

const Name = ({ row: { user } }: { row: HandoffDetails }) => (
  <Group gap="xs" wrap="nowrap" miw={0}>
    {user && <UserMark user={user} />}
    <Text className="foreign one-line" fw={600} size="sm">
      {nameOfUser(user)}
    </Text>
  </Group>
)

/** Until an agent answers, shows what the user wrote, and not the bot's reply to it. */
function getLast({ state, lastUserMessage, lastMessage }: HandoffDetails): string {
  const shown = (state === 'waiting' ? lastUserMessage : undefined) ?? lastMessage
  return shown ? toText(shown) : texts.conversations.noMessages
}
const toTime = ({ closedAt, requestedAt }: HandoffDetails) => closedAt ?? requestedAt

type FindName = (accountId: string) => string

function toColumns(list: List, getName: FindName): Column<HandoffDetails>[] {
  return [
    {
      title: t.user,
      width: 'minmax(0, 1fr)',
      cell: (row) => (
        <>
          <Name row={row} />
          <Answering row={row} getName={getName} />
        </>
      ),
    },
    {
      title: t.last,
      width: 'minmax(0, 2fr)',
      cell: (row) => (
        <Text size="sm" className="foreign one-line">
          {getLast(row)}
        </Text>
      ),
    },
    {
      title: t.reason,
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ reason }) => (
        <Text size="sm" className="foreign" lineClamp={3}>
          {reason}
        </Text>
      ),
    },
    {
      title: list === 'closed' ? t.closed : t.since,
      width: '110px',
      cell: (row) => <Moment at={toTime(row)} />,
    },
  ]
}

const narrowColumns = (getName: FindName): Column<HandoffDetails>[] => [
  {
    title: t.list,
    width: 'minmax(0, 1fr)',
    cell: (row) => (
      <>
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Name row={row} />
          <div style={{ flex: 'none' }}>
            <Moment at={toTime(row)} />
          </div>
        </Group>
        <Text size="sm" className="foreign one-line">
          {getLast(row)}
        </Text>
        {row.reason && (
          <Text size="xs" c="dimmed" className="foreign one-line">
            {row.reason}
          </Text>
        )}
        <Answering row={row} getName={getName} />
      </>
    ),
  },
]

function Answering({
  row: { assignedTo },
  getName,
}: {
  row: HandoffDetails
  getName: FindName
}) {
  if (!assignedTo) return null
  return (
    <Text size="xs" c="dimmed" className="foreign one-line">
      {texts.common.labelled(t.answers, getName(assignedTo))}
    </Text>
  )
}
