// What the chat page and the widget show before the visitor writes: nothing of it is stored.
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { MessageView } from '../../parts/messages/message-view.tsx'
import { Empty } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

interface GreetingProps {
  webhookId: string
  /** Of the visitor, in place of that of the browser. */
  language: string | undefined
  onSend: (payload: Record<string, unknown>) => void
}

interface ChatSettings {
  greeting?: string
  suggestions?: string[]
}

export function Greeting({ webhookId, language, onSend }: GreetingProps) {
  const { botId } = useBot()
  const { data, isPending } = useQuery({
    queryKey: ['bots', botId, 'greeting', webhookId, language],
    queryFn: async ({ signal }): Promise<ChatSettings> => {
      const headers = language === undefined ? {} : { 'accept-language': language }
      const reply = await fetch(`/webchat/${webhookId}/settings.json`, {
        signal,
        headers,
      })
      // Without a greeting, the conversation can begin all the same.
      return reply.ok ? reply.json() : {}
    },
  })
  if (isPending) return null
  const { greeting, suggestions = [] } = data ?? {}
  return (
    <Stack gap="xs" pt="xs" align="flex-start">
      {greeting ? (
        <MessageView payload={{ type: 'markdown', markdown: greeting }} isOwn={false} />
      ) : (
        <Empty title={texts.emulator.empty} hint={texts.emulator.emptyHint} />
      )}
      <Group gap="xs">
        {suggestions.map((text) => (
          <Button
            key={text}
            variant="default"
            size="compact-sm"
            className="foreign"
            onClick={() => onSend({ type: 'text', text })}
          >
            {text}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
