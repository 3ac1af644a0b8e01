// The account: profile, password, second factor, sessions.
import { Anchor, Box, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (!session.data) return <Navigate to="/sign-in" search={{ returnTo: '/account' }} replace />
  return (
    <Box component="main" id="content" maw={760} mx="auto">
      <Page
        title={texts.account.title}
        actions={
          <Anchor component={Link} to="/" size="sm">
            {texts.account.back}
          </Anchor>
        }
      >
        <Stack>
          <Profile account={session.data.account} />
          <Password />
          <SecondFactor />
          <Sessions />
        </Stack>
      </Page>
    </Box>
  )
}

function Profile({ account }: { account: Session['account'] }) {
  const queries = useQueryClient()
  const [name, setName] = useState(account.displayName ?? '')
  const save = useMutation({
    mutationFn: () => clientFor().admin.updateAccount({ body: { displayName: name } }),
    onSuccess: async () => {
      notifyDone(texts.common.saved)
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: notifyFailed,
  })
  return (
    <Section title={texts.account.profile}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm" className="foreign">
            {account.email}
          </Text>
          <TextInput
            label={texts.account.name}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            {texts.common.save}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
