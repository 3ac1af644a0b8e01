// The last requests of a third party to an integration, and repeating one.
import type { WebhookContent, WebhookRequest } from '@botstead/contract'
import {
  Badge,
  Button,
  Code,
  Drawer,
  Group,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { Json } from '../../parts/forms/json-view.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations

export function WebhookRequests({ alias }: { alias: string }) {
  const { botId, client } = useBot()
  const [opened, setOpened] = useFilter('request')
  const query = useQuery({
    queryKey: ['webhookRequests', botId, alias],
    queryFn: ({ signal }) =>
      client.platform.listWebhookRequests(
        { params: { botId, alias }, query: { pageSize: 100 } },
        { signal },
      ),
  })
  return (
    <Loaded query={query}>
      {({ requests }) => (
        <>
          {requests.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noRequests}
            </Text>
          ) : (
            <RequestTable requests={requests} open={setOpened} />
          )}
          <Drawer
            opened={opened !== undefined}
            onClose={() => setOpened('')}
            title={t.details}
            position="right"
            size="lg"
          >
            {opened && <RequestDetails alias={alias} id={opened} />}
          </Drawer>
        </>
      )}
    </Loaded>
  )
}

function RequestTable({
  requests,
  open,
}: {
  requests: WebhookRequest[]
  open: (id: string) => void
}) {
  return (
    <Table.ScrollContainer
      minWidth={320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[t.request, t.status, t.duration, t.time].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Table.Tr key={request.id}>
              <Table.Td>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  className="foreign"
                  onClick={() => open(request.id)}
                >
                  {request.method} {request.path}
                </Button>
                {request.replayOf && <Badge variant="default">{t.repeated}</Badge>}
              </Table.Td>
              <Table.Td>{request.status ?? t.failed}</Table.Td>
              <Table.Td>{t.milliseconds(request.ms)}</Table.Td>
              <Table.Td>
                <Moment at={request.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RequestDetails({ alias, id }: { alias: string; id: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const params = { botId, alias, id }
  const query = useQuery({
    queryKey: ['webhookRequests', botId, alias, id],
    queryFn: ({ signal }) => client.platform.getWebhookRequest({ params }, { signal }),
  })
  const replay = useMutation({
    mutationFn: () => client.platform.replayWebhookRequest({ params, body: {} }),
    onSuccess: async ({ request }) => {
      notifyDone(t.replayed(request.status))
      await queries.invalidateQueries({ queryKey: ['webhookRequests', botId] })
    },
  })
  return (
    <Loaded query={query}>
      {({ request, content }) => (
        <Stack>
          <Group justify="space-between">
            <Text fw={600} className="foreign">
              {request.method} {request.path}
            </Text>
            {isEditor && request.isRepeatable && (
              <Button onClick={() => replay.mutate()} loading={replay.isPending}>
                {t.replay}
              </Button>
            )}
          </Group>
          <ActionError error={replay.error} />
          {request.error && (
            <Text size="sm" className="foreign">
              {request.error}
            </Text>
          )}
          {content.query && (
            <>
              <Title order={3} size="h5">
                {t.query}
              </Title>
              <Code block className="foreign">
                {content.query}
              </Code>
            </>
          )}
          <Title order={3} size="h5">
            {t.headers}
          </Title>
          <Json label={t.headers} value={content.headers} maxHeight={240} />
          <Title order={3} size="h5">
            {t.body}
          </Title>
          <Body body={content.body} />
          {content.response && (
            <>
              <Title order={3} size="h5">
                {t.response}
              </Title>
              <Body body={content.response.body} />
            </>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function Body({ body: { text, bytes, isComplete } }: { body: WebhookContent['body'] }) {
  if (bytes === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.noBody}
      </Text>
    )
  if (text === undefined) return <Text size="sm">{t.binary(bytes)}</Text>
  return (
    <>
      {!isComplete && (
        <Text size="sm" c="dimmed">
          {t.cut(bytes)}
        </Text>
      )}
      <Code block className="foreign" tabIndex={0}>
        {text}
      </Code>
    </>
  )
}
