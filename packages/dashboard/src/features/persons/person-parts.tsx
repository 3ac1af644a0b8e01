// A user of a person with its addresses, and the changes of persons.
import type { Client } from '@botstead/client'
import type { PersonUser, UserAddress } from '@botstead/contract'
import { Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBot } from '../../api/scope.ts'
import { notifyDone } from '../../parts/notify.ts'
import { UserLink } from '../../parts/objects/object-links.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.persons

/** Returns a mutation that refetches all that shows users. */
export function usePersonChange<Input>(
  change: (client: Client, input: Input) => Promise<unknown>,
  done: string,
) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(client, input),
    onSuccess: async () => {
      notifyDone(done)
      await queries.invalidateQueries({ queryKey: ['users', botId] })
      await queries.invalidateQueries({ queryKey: ['conversations', botId] })
    },
  })
}

export const toProof = ({ verifiedBy, claimedAt }: UserAddress): string => {
  if (!verifiedBy) return t.claimed
  return claimedAt ? `${t.proofs[verifiedBy]}, ${t.alsoClaimed}` : t.proofs[verifiedBy]
}

interface UserLineProps {
  of: PersonUser
  /** Below the name. */
  notes: string[]
  children?: ReactNode
}

export const UserLine = ({
  of: { user, integration },
  notes,
  children,
}: UserLineProps) => (
  <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <UserLink id={user.id}>{nameOfUser(user)}</UserLink>
      <Text size="xs" c="dimmed" className="foreign">
        {[integration, ...notes].filter(Boolean).join(' · ')}
      </Text>
    </div>
    {children}
  </Group>
)
