// The invitations to the workspace, with a button that withdraws one.

import { RequestError } from '@botstead/client'
import type { Invitation } from '@botstead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { InputError } from '../../parts/forms/input-error.ts'
import { MoreButton } from '../../parts/more-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { roleName, useGivableRoles } from './roles.ts'

export function Invitations() {
  const { workspaceId, client } = useWorkspace()
  const queries = useQueryClient()
  const may = useMay()
  const givable = useGivableRoles()
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const query = usePages(['members', workspaceId, 'invitations'], (page, options) =>
    client.platform.listInvitations({ query: page }, options),
  )
  return (
    <Section title={texts.members.invitations}>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ invitations }) => invitations)
          if (rows.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {texts.members.noInvitations}
              </Text>
            )
          return rows.map((row) => (
            <Group key={row.id} justify="space-between" wrap="nowrap">
              <Summary invitation={row} />
              {may('members.write') && givable.includes(row.role) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.members.withdrawOne(row.email)}
                  onClick={() => setWithdrawn(row)}
                >
                  {texts.members.withdraw}
                </Button>
              )}
            </Group>
          ))
        }}
      </Loaded>
      <MoreButton query={query} label={texts.common.more} />
      {withdrawn && (
        <Confirm
          title={texts.members.withdrawOne(withdrawn.email)}
          button={texts.members.withdraw}
          onConfirm={async () => {
            await client.platform
              .deleteInvitation({ params: { id: withdrawn.id } })
              .catch(explainUsed)
              .finally(() =>
                queries.invalidateQueries({ queryKey: ['members', workspaceId] }),
              )
          }}
          onClose={() => setWithdrawn(null)}
        >
          {texts.members.withdrawText}
        </Confirm>
      )}
    </Section>
  )
}

function explainUsed(error: unknown): never {
  if (error instanceof RequestError && error.status === 404)
    throw new InputError(texts.members.used, texts.members.usedHint)
  throw error
}

function Summary({ invitation: { email, role, expiresAt } }: { invitation: Invitation }) {
  const isExpired = Date.parse(expiresAt) < Date.now()
  return (
    <Text size="sm" className="foreign" component="div">
      {email} · {roleName(role)} ·{' '}
      <Text span size="sm" c="dimmed">
        {isExpired ? texts.members.expired : texts.members.expires}{' '}
        <Moment at={expiresAt} />
      </Text>
    </Text>
  )
}
