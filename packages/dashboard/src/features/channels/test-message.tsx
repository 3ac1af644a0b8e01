// Sends a test message by a channel, and shows the answer of the provider.
import type { ChannelGuide, ChannelState } from '@botstead/contract'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.channels

interface TestMessageProps {
  guide: ChannelGuide
  state: ChannelState
}

export function TestMessage({ guide: { recipient }, state }: TestMessageProps) {
  const { botId, client } = useBot()
  const [to, setTo] = useState('')
  const test = useMutation({
    mutationFn: (address: string) =>
      client.platform.testChannel({
        params: { botId, alias: state.alias },
        body: address === '' ? {} : { to: address },
      }),
  })
  const sentTo = test.variables ?? ''
  if (!useMay()('data.write') || !state.enabled) return null
  const hasAddress = state.lastReceivedAt !== undefined || to.trim() !== ''
  return (
    <Section title={t.test} {...(!recipient && { hint: t.testHint })}>
      <Group align="flex-end" gap="xs">
        {recipient && (
          <TextInput
            label={t.testTo(recipient.title)}
            description={recipient.description}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            maxLength={320}
            style={{ flex: '1 1 260px' }}
          />
        )}
        <Button
          variant="default"
          disabled={!hasAddress}
          loading={test.isPending}
          onClick={() => test.mutate(to.trim())}
        >
          {t.send}
        </Button>
      </Group>
      {!hasAddress && (
        <Text size="sm" c="dimmed">
          {t.noRecipient}
        </Text>
      )}
      <ActionError error={test.error} />
      {test.data && (
        <Text size="sm" role="status">
          {sentTo === '' ? t.sentToNewest : t.sentTo(sentTo)}{' '}
          <ConversationLink id={test.data.conversationId}>
            {t.openConversation}
          </ConversationLink>
        </Text>
      )}
    </Section>
  )
}
