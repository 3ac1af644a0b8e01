// `/`: the last workspace of the account, or for visitors the talk with the first bot.
import { Anchor, Button, Center, Code, Image, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { sessionQuery, signInQuery } from '../api/session.ts'
import { commandHere } from '../page-values.ts'
import { Empty, Loading } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { lastWorkspace } from './last-workspace.ts'

export function Home() {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (!session.data) return <Welcome />
  const { workspaces } = session.data
  const workspace = workspaces.find(({ id }) => id === lastWorkspace()) ?? workspaces[0]
  return workspace ? (
    <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />
  ) : (
    <Empty title={texts.shell.noWorkspace} hint={texts.shell.noWorkspaceHint} />
  )
}

function Welcome() {
  const { data } = useQuery(signInQuery)
  return (
    <Center component="main" id="content" mih="100dvh" p="md">
      <Stack align="center" gap="lg" maw={520} ta="center">
        <Image src="/landscape.svg" alt="" w={240} h={150} />
        <div>
          <Title order={1}>{texts.signIn.welcome}</Title>
          <Text c="dimmed">{texts.signIn.intro}</Text>
        </div>
        {data?.talk && (
          <Stack gap={4} align="center">
            <Button component="a" href={data.talk.path} size="md">
              {texts.signIn.talk(data.talk.botName)}
            </Button>
            <Text size="sm" c="dimmed">
              {texts.signIn.talkHint}
            </Text>
          </Stack>
        )}
        <Stack gap={4} align="center">
          {data?.password || data?.openId ? (
            <Button component={Link} to="/sign-in" variant="default">
              {texts.signIn.submit}
            </Button>
          ) : (
            <>
              <Title order={2} size="h4">
                {texts.signIn.how}
              </Title>
              <Text size="sm">{texts.signIn.howText}</Text>
              <Code className="wrapped">{texts.signIn.command(commandHere)}</Code>
              <Anchor component={Link} to="/sign-in" size="sm">
                {texts.signIn.otherWays}
              </Anchor>
            </>
          )}
        </Stack>
      </Stack>
    </Center>
  )
}
