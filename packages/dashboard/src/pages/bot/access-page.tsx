// The members with access to a bot.

import { MultiSelect, Radio, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

type Setting = 'ALL_WORKSPACE_USERS' | 'SELECTED_USERS'

export function AccessPage() {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'access'],
    queryFn: ({ signal }) =>
      client.admin.getBotAllowlist({ params: { botId } }, { signal }),
  })
  return (
    <Page title={texts.access.title}>
      <Section title={texts.access.visibility} hint={texts.access.hint}>
        <Loaded query={query}>
          {({ setting, users }) => (
            <Form setting={setting} users={users.map(({ id }) => id)} />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}

function Form({ setting, users }: { setting: Setting; users: string[] }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const members = useAllMembers()
  const save = useMutation({
    mutationFn: (change: { setting?: Setting; users?: Record<string, boolean> }) =>
      client.admin.updateBotAllowlist({ params: { botId }, body: change }),
    onSuccess: () => notifyDone(texts.common.saved),
    onError: notifyFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots', botId, 'access'] }),
  })
  const choose = (chosen: string[]) =>
    save.mutate({
      users: Object.fromEntries([
        ...users.filter((id) => !chosen.includes(id)).map((id) => [id, false]),
        ...chosen.filter((id) => !users.includes(id)).map((id) => [id, true]),
      ]),
    })
  return (
    <Stack>
      <Radio.Group
        aria-label={texts.access.visibility}
        value={setting}
        onChange={(value) => save.mutate({ setting: value as Setting })}
      >
        <Stack gap="xs">
          <Radio
            value="ALL_WORKSPACE_USERS"
            label={texts.access.all}
            disabled={save.isPending}
          />
          <Radio
            value="SELECTED_USERS"
            label={texts.access.selected}
            disabled={save.isPending}
          />
        </Stack>
      </Radio.Group>
      {setting === 'SELECTED_USERS' && (
        <MultiSelect
          label={texts.access.members}
          data={members}
          value={users}
          onChange={choose}
          limit={50}
          searchable
        />
      )}
    </Stack>
  )
}

/** Returns the members as options; further pages arrive one after another. */
function useAllMembers() {
  const { workspaceId, client } = useBot()
  const { data, hasNextPage, isFetching, fetchNextPage } = usePages(
    ['members', workspaceId, 'options'],
    (page, options) =>
      client.admin.listWorkspaceMembers({ query: { pageSize: 100, ...page } }, options),
  )
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const all = data?.pages.flatMap(({ members }) => members) ?? []
  return all.map(({ id, email }) => ({ value: id, label: email }))
}
