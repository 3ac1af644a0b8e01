// The examples of the server, each with a button that creates a bot from it.
import {
  Badge,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useExamples } from '../../api/examples.ts'
import { useWorkspace } from '../../api/scope.ts'
import { fromTexts, readBot } from '../../parts/files/bot-files.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { useCreateBot } from './use-create-bot.ts'

const t = texts.bots.examples

export function Examples() {
  const { client } = useWorkspace()
  const create = useCreateBot()
  const query = useExamples()
  const start = (example: string, title: string) =>
    create.mutate({
      name: title,
      read: async () => {
        const found = await client.platform.getExample({ params: { example } })
        return { ...(await readBot(fromTexts(found.example.files))), isExample: true }
      },
    })
  return (
    <Loaded query={query}>
      {({ examples, hasModel }) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {examples.map(({ name, title, description, needsModel }) => (
            <Paper
              key={name}
              component="article"
              className="panel"
              p="sm"
              aria-label={title}
            >
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
                    variant={needsModel && !hasModel ? 'default' : 'filled'}
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
