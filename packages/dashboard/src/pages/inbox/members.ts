// Names of the members who answer, and the members who may.

import { permissions } from 'virtual:routes'
import type { WorkspaceMember } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { useOwnId } from './use-handoff.ts'

const t = texts.inbox
/** The API's maximum. */
const pageSize = 1_000

function useMembers(): WorkspaceMember[] {
  const { workspaceId, client } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['members', workspaceId, 'names'],
    queryFn: ({ signal }) => client.admin.listWorkspaceMembers({ query: { pageSize } }, { signal }),
    staleTime: 60_000,
  })
  return data?.members ?? []
}

const nameOf = ({ displayName, email }: WorkspaceMember) => displayName || email

/** Returns a function that returns the name of an account. */
export function useMemberName(): (accountId: string) => string {
  const members = useMembers()
  const ownId = useOwnId()
  return (accountId) => {
    if (accountId === ownId) return t.you
    const member = members.find(({ id }) => id === accountId)
    return member ? nameOf(member) : t.former
  }
}

/** Returns the members who may answer: id and name. */
export function useAnsweringMembers() {
  const ownId = useOwnId()
  return useMembers()
    .filter(({ role }) => permissions['data.write'].includes(role as never))
    .map((member) => ({
      id: member.id,
      name: member.id === ownId ? t.ofYou(nameOf(member)) : nameOf(member),
    }))
}
