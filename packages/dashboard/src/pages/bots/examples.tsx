// The examples of the server, each with a button that creates a bot from it.
import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/scope.ts'
import { fromTexts, readBot } from '../../parts/bot-files.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { useCreateBot } from './use-create-bot.ts'

const t = texts.bots.examples

export function Examples() {
  const { workspaceId, client } = useWorkspace()
  const create = useCreateBot()
  const query = useQuery({
    queryKey: ['examples', workspaceId],
    queryFn: ({ signal }) => client.platform.listExamples({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const start = (example: string, title: string) =>
    create.mutate({
      name: title,
      read: async () => {
        const found = await client.platform.getExample({ params: { example } })
        return readBot(fromTexts(found.example.files))
      },
    })
  return (
    <Loaded query={query}>
      {({ examples, hasModel }) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {examples.map(({ name, title, description, needsModel }) => (
            <Paper key={name} component="article" className="panel" p="sm" aria-label={title}>
              <Stack gap={6} h="100%">
                <Group gap="xs">
                  <Title order={3} size="h5">
                    {title}
                  </Title>
                  {needsModel && (
                    <Badge variant="default" size="sm">
                      {t.needsModel}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed" flex={1}>
                  {description}
                </Text>
                {needsModel && !hasModel && <Text size="sm">{t.noModel}</Text>}
                <Group>
                  <Button
                    size="compact-sm"
                    aria-label={t.createNamed(title)}
                    disabled={create.isPending}
                    loading={create.isPending && create.variables.name === title}
                    onClick={() => start(name, title)}
                  >
                    {t.create}
                  </Button>
                </Group>
              </Stack>
            </Paper>
          ))}
        </SimpleGrid>
      )}
    </Loaded>
  )
}
