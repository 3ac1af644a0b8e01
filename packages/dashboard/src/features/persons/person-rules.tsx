// The kinds of verified addresses that merge users, and users that may be one person.
import type { AddressKind, PersonRules as Rules } from '@botstead/contract'
import { Checkbox, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { UserLine } from './person-parts.tsx'

const t = texts.persons.rules
const kinds = Object.keys(t.kinds) as AddressKind[]

export function PersonRules({ onDone }: { onDone: () => void }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'person-rules'],
    queryFn: ({ signal }) => client.platform.getPersonRules({}, { signal }),
    gcTime: 0,
  })
  return (
    <Stack>
      <Suggestions />
      <Loaded query={query}>
        {({ rules }) => <RulesForm stored={rules} onDone={onDone} />}
      </Loaded>
    </Stack>
  )
}

function RulesForm({ stored, onDone }: { stored: Rules; onDone: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [mergeBy, setMergeBy] = useState(stored.mergeBy)
  const save = useMutation({
    mutationFn: () => client.platform.setPersonRules({ body: { mergeBy } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bots', botId, 'person-rules'] })
      onDone()
    },
  })
  return (
    <DialogForm action={save} button={texts.common.save} onClose={onDone}>
      <Text size="sm" component="div">
        {t.hint} <DocsLink page="persons#verified-addresses">{t.about}</DocsLink>
      </Text>
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={t.kinds[kind]}
          description={t.kindHints[kind]}
          checked={mergeBy.includes(kind)}
          onChange={({ currentTarget: { checked } }) =>
            setMergeBy(
              kinds.filter((one) => (one === kind ? checked : mergeBy.includes(one))),
            )
          }
        />
      ))}
    </DialogForm>
  )
}

function Suggestions() {
  const { botId, client } = useBot()
  const query = usePages(['users', botId, 'merge-suggestions'], (page, options) =>
    client.platform.listMergeSuggestions({ query: { pageSize: 10, ...page } }, options),
  )
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.found}
      </Text>
      <Loaded query={query}>
        {({ pages }) => {
          const found = pages.flatMap(({ suggestions }) => suggestions)
          if (found.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t.noSuggestions}
              </Text>
            )
          return (
            <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
              {found.map(({ kind, address, users: [first, ...others] }) =>
                first ? (
                  <UserLine
                    key={`${kind} ${address}`}
                    of={first}
                    notes={[address, t.users(others.length + 1)]}
                  />
                ) : null,
              )}
            </Stack>
          )
        }}
      </Loaded>
      <MoreButton query={query} label={texts.common.more} />
    </div>
  )
}
