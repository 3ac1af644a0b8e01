// The account: profile, password, second factor, sessions.
import { AppShell, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { IconArrowLeft } from '../../icons/icons.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loading } from '../../parts/states.tsx'
import { Header, headerHeight } from '../../shell/header.tsx'
import { texts } from '../../texts/texts.ts'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (!session.data)
    return <Navigate to="/sign-in" search={{ returnTo: '/account' }} replace />
  return (
    <AppShell header={{ height: headerHeight }}>
      <Header>
        <Button
          component={Link}
          to="/"
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
          aria-label={texts.account.back}
        >
          <span className="wide-only">{texts.account.back}</span>
          <span className="narrow-only">{texts.account.backShort}</span>
        </Button>
      </Header>
      <AppShell.Main id="content" tabIndex={-1} maw={760} mx="auto">
        <Page title={texts.account.title}>
          <Stack>
            <Profile account={session.data.account} />
            <Password />
            <SecondFactor />
            <Sessions />
          </Stack>
        </Page>
      </AppShell.Main>
    </AppShell>
  )
}

function Profile({ account }: { account: Session['account'] }) {
  const queries = useQueryClient()
  const [name, setName] = useState(account.displayName ?? '')
  useUnsaved(name !== (account.displayName ?? ''))
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
            {!account.emailVerified && ` (${texts.account.unverified})`}
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
