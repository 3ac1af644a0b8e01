// The personal access tokens of the account. A new one is shown once.

import type { ApiKey } from '@botstead/contract'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Failed, Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { ShownOnce } from '../../parts/texts/shown-once.tsx'
import { texts } from '../../texts/texts.ts'

const queryKey = ['tokens']
const { admin } = clientFor()

export function TokensPage() {
  const queries = useQueryClient()
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const changed = () => queries.invalidateQueries({ queryKey })
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => admin.listPersonalAccessTokens({}, { signal }),
  })
  return (
    <Page title={texts.tokens.title}>
      <Section title={texts.tokens.create} hint={texts.tokens.hint}>
        <Create onCreated={changed} />
      </Section>
      <Section title={texts.tokens.title}>
        <Loaded query={query}>
          {({ pats }) =>
            pats.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.tokens.empty}
              </Text>
            ) : (
              pats.map((token) => (
                <Row key={token.id} token={token} onRevoke={() => setRevoked(token)} />
              ))
            )
          }
        </Loaded>
      </Section>
      {revoked && (
        <Confirm
          title={texts.tokens.revokeOne(toName(revoked))}
          button={texts.tokens.revoke}
          onConfirm={async () => {
            await admin.deletePersonalAccessToken({ params: { id: revoked.id } })
            await changed()
          }}
          onClose={() => setRevoked(null)}
        >
          {texts.tokens.revokeText}
        </Confirm>
      )}
    </Page>
  )
}

const toName = ({ note, id }: ApiKey) => note || id

function Row({ token, onRevoke }: { token: ApiKey; onRevoke: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" className="foreign" component="div">
        {toName(token)}
        <Text size="sm" c="dimmed" component="div">
          {texts.tokens.created} <Moment at={token.createdAt} />
        </Text>
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.tokens.revokeOne(toName(token))}
        onClick={onRevoke}
      >
        {texts.tokens.revoke}
      </Button>
    </Group>
  )
}

function Create({ onCreated }: { onCreated: () => Promise<void> }) {
  const [note, setNote] = useState('')
  const create = useMutation({
    mutationFn: () => admin.createPersonalAccessToken({ body: { note } }),
    onSuccess: () => {
      setNote('')
      return onCreated()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Group align="flex-end">
        <TextInput
          label={texts.tokens.note}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          flex="1 1 180px"
          maw={360}
          required
        />
        <Button type="submit" variant="default" loading={create.isPending}>
          {texts.tokens.create}
        </Button>
      </Group>
      {create.error && <Failed error={create.error} />}
      <ShownOnce hint={texts.tokens.shown} value={create.data?.pat.value} />
    </form>
  )
}
