// Users of the bot by their names, and its conversations by the words of their messages.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconMessages, IconUser } from '../../icons/icons.tsx'
import { fromFirstMark, toMatcher } from '../../parts/messages/marked-text.tsx'
import { toWrittenText } from '../../parts/messages/written-text.ts'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { toAddress } from '../pages.ts'
import type { ResultGroup } from './result-list.tsx'

const maxFound = 5
/** Fewer letters find nearly everything. */
const minLetters = 2

type Open = (address: string, search?: Record<string, string>) => void
interface Found {
  groups: ResultGroup[]
  isLoading: boolean
}

export function useFoundUsers(text: string, open: Open): Found {
  const { workspaceId, botId, client } = useBot()
  const isWanted = useIsWanted(text)
  const { data, isFetching } = useQuery({
    queryKey: ['users', botId, 'found', text],
    queryFn: ({ signal }) =>
      client.platform.searchUsers(
        { query: { name: text, pageSize: maxFound } },
        { signal },
      ),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const results = (isWanted ? (data?.users ?? []) : []).map(({ user }) => ({
    key: user.id,
    label: nameOfUser(user),
    hint: `…${user.id.slice(-4)}`,
    icon: <IconUser size={18} aria-hidden="true" />,
    open: () => open(toAddress({ path: `users/${user.id}` }, workspaceId, botId)),
  }))
  return toFound(texts.shell.nav.users, results, isFetching)
}

export function useFoundConversations(text: string, open: Open): Found {
  const { workspaceId, botId, client } = useBot()
  const isWanted = useIsWanted(text)
  const { data, isFetching } = useQuery({
    queryKey: ['conversations', botId, 'found', text],
    queryFn: ({ signal }) =>
      client.platform.searchConversations(
        { query: { text, pageSize: maxFound } },
        { signal },
      ),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const results = (isWanted ? (data?.conversations ?? []) : []).map(
    ({ conversation, participants, match }) => ({
      key: conversation.id,
      label:
        participants.map(nameOfUser).join(texts.common.comma) ||
        texts.conversations.noParticipants,
      hint: match && fromFirstMark(toWrittenText(match), toMatcher(text)),
      icon: <IconMessages size={18} aria-hidden="true" />,
      open: () =>
        open(
          toAddress({ path: `conversations/${conversation.id}` }, workspaceId, botId),
          match ? { message: match.id } : {},
        ),
    }),
  )
  return toFound(texts.shell.nav.conversations, results, isFetching)
}

function useIsWanted(text: string) {
  const { botId } = useBot()
  return useMay()('conversations.read') && botId !== '' && text.length >= minLetters
}

const toFound = (
  title: string,
  results: ResultGroup['results'],
  isLoading: boolean,
): Found => ({
  groups: results.length > 0 ? [{ title, results }] : [],
  isLoading,
})
