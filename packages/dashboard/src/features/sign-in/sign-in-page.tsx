// Signing in, with the one-time link in the fragment of the address or with a form.

import { Card, Center, Image, Stack, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import mark from 'page/favicon.svg?inline'
import { useFilter } from '../../api/filters.ts'
import { sessionRenewed } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { LanguageLinks } from './language-links.tsx'
import { takeReturn } from './return.ts'
import { SignInForms } from './sign-in-forms.tsx'

/** Only addresses of the dashboard: others would be an open redirect. */
const toPath = (text: string | null) =>
  text && /^\/(w\/|account)/.test(text) ? text : '/'

export function SignInPage() {
  const [returnTo] = useFilter('returnTo')
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (
    <Center component="main" id="content" mih="100dvh" p="md">
      <Card className="panel" w="100%" maw={420} p="xl">
        <Stack>
          <Image src={mark} alt="" w={40} h={40} />
          <Title order={1} size="h3">
            {texts.signIn.title}
          </Title>
          <SignInForms
            onSignedIn={async () => {
              sessionRenewed()
              queries.clear()
              await navigate({ to: toPath(returnTo ?? takeReturn()), replace: true })
            }}
          />
          <LanguageLinks />
        </Stack>
      </Card>
    </Center>
  )
}
