// An invitation, by the link in the fragment of the address: for a new account with a form, for an
// existing one after signing in.

import { RequestError } from '@botstead/client'
import { Button, Card, Center, Image, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import mark from 'page/favicon.svg?inline'
import { type ReactNode, useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { sessionQuery, sessionRenewed } from '../../api/session.ts'
import { Empty, Failed, Loaded, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { LanguageLinks } from './language-links.tsx'
import { NewPassword } from './new-password.tsx'
import { SignInForms } from './sign-in-forms.tsx'

const readCode = () => new URLSearchParams(location.hash.slice(1)).get('code')

export function InvitationPage() {
  const [code] = useState(readCode)
  return (
    <Center component="main" id="content" mih="100dvh" p="md">
      <Card className="panel" w="100%" maw={420} p="xl">
        <Stack>
          <Image src={mark} alt="" w={40} h={40} />
          <Title order={1} size="h3">
            {texts.invitation.title}
          </Title>
          {code ? (
            <Invitation code={code} />
          ) : (
            <Empty title={texts.invitation.missing} hint={texts.invitation.missingHint} />
          )}
          <LanguageLinks />
        </Stack>
      </Card>
    </Center>
  )
}

function Invitation({ code }: { code: string }) {
  const query = useQuery({
    queryKey: ['invitation', code],
    queryFn: ({ signal }) =>
      clientFor().platform.previewInvitation({ body: { code } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (query.error instanceof RequestError && query.error.status === 410) return <Gone />
  return (
    <Loaded query={query}>
      {({ workspace, email, role }) => (
        <>
          <Text className="foreign">{texts.invitation.text(workspace, role)}</Text>
          <Text size="sm" c="dimmed" className="foreign">
            {texts.invitation.forAddress(email)}
          </Text>
          <Acceptance code={code} email={email} />
        </>
      )}
    </Loaded>
  )
}

/** The server does not show whether there is an account with the address. */
function Acceptance({ code, email }: { code: string; email: string }) {
  const session = useQuery(sessionQuery)
  const [hasAccount, setHasAccount] = useState(false)
  if (session.isPending) return <Loading />
  if (session.data?.account || hasAccount)
    return <ExistingAccount code={code} email={email} />
  return (
    <>
      <NewAccount code={code} />
      <Button variant="subtle" onClick={() => setHasAccount(true)}>
        {texts.invitation.hasAccount}
      </Button>
    </>
  )
}

const Gone = () => (
  <div role="alert">
    <Empty
      title={texts.invitation.gone}
      hint={texts.invitation.goneHint}
      action={
        <Button component={Link} to="/" variant="default">
          {texts.signIn.submit}
        </Button>
      }
    />
  </div>
)

/** Opens the dashboard with the new membership. */
function useArrival() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    sessionRenewed()
    queries.clear()
    await navigate({ to: '/', replace: true })
  }
}

function NewAccount({ code }: { code: string }) {
  const arrive = useArrival()
  const [displayName, setDisplayName] = useState('')
  const [password, setPassword] = useState('')
  const create = useMutation({
    mutationFn: () =>
      clientFor().platform.signInWithInvitation({
        body: { code, displayName, password },
      }),
    onSuccess: arrive,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={texts.invitation.name}
          autoComplete="name"
          maxLength={100}
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
          required
        />
        <NewPassword
          label={texts.invitation.password}
          hint={texts.invitation.passwordHint}
          value={password}
          onChange={setPassword}
        />
        {create.error && <Failed error={create.error} />}
        <Button type="submit" loading={create.isPending}>
          {texts.invitation.create}
        </Button>
      </Stack>
    </form>
  )
}

function ExistingAccount({ code, email }: { code: string; email: string }) {
  const arrive = useArrival()
  const session = useQuery(sessionQuery)
  const accept = useMutation({
    mutationFn: () => clientFor().platform.acceptInvitation({ body: { code } }),
    onSuccess: arrive,
  })
  if (session.isPending) return <Loading />
  const account = session.data?.account
  if (!account)
    return (
      <>
        <Text size="sm">{texts.invitation.existing}</Text>
        <SignInForms onSignedIn={async () => void (await session.refetch())} />
      </>
    )
  if (account.email.toLowerCase() !== email)
    return <Text className="foreign">{texts.invitation.otherAccount(account.email)}</Text>
  return (
    <Failing error={accept.error}>
      <Button onClick={() => accept.mutate()} loading={accept.isPending}>
        {texts.invitation.accept}
      </Button>
    </Failing>
  )
}

const Failing = ({ error, children }: { error: Error | null; children: ReactNode }) => (
  <>
    {error && <Failed error={error} />}
    {children}
  </>
)
