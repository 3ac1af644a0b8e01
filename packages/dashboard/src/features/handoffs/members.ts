// Names of the members who answer, and the members who may.

import { permissions } from 'virtual:routes'
import type { WorkspaceMember } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { useOwnId } from './use-handoff.ts'

const t = texts.inbox
/** The API's maximum. */
const pageSize = 1_000

function useMembers(isNeeded: boolean): WorkspaceMember[] {
  const { workspaceId, client } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['members', workspaceId, 'names'],
    queryFn: ({ signal }) =>
      client.admin.listWorkspaceMembers({ query: { pageSize } }, { signal }),
    staleTime: 60_000,
    enabled: isNeeded,
  })
  return data?.members ?? []
}

const toName = ({ displayName, email }: WorkspaceMember) => displayName || email

/** Returns a function that returns the name of one of these accounts, or of an absent one. */
export function useMemberName(
  accountIds: readonly (string | undefined)[],
): (accountId: string) => string {
  const ownId = useOwnId()
  const mayList = useMay()('members.list')
  const members = useMembers(
    mayList && accountIds.some((id) => id !== undefined && id !== ownId),
  )
  return (accountId) => {
    if (accountId === ownId) return t.you
    const member = members.find(({ id }) => id === accountId)
    if (!mayList) return t.someMember
    return member ? toName(member) : t.former
  }
}

/** Returns the members who may answer: id and name. None until they are needed. */
export function useAnsweringMembers({ isNeeded }: { isNeeded: boolean }) {
  const ownId = useOwnId()
  return useMembers(isNeeded)
    .filter(({ role }) => permissions['conversations.write'].includes(role as never))
    .map((member) => ({
      id: member.id,
      name: member.id === ownId ? t.ofYou(toName(member)) : toName(member),
    }))
}
