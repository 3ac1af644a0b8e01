// Rules for the data of people: how long the server keeps it, and the patterns that it redacts.
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ReadOnlyHint } from '../../parts/forms/read-only-hint.tsx'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Sentence } from '../../parts/texts/sentence.tsx'
import { texts } from '../../texts/texts.ts'
import { Erasures } from './erasures.tsx'
import { Redaction } from './redaction.tsx'
import { Retention } from './retention.tsx'

const t = texts.privacy

export function PrivacyPage() {
  const { workspaceId, botId } = useBot()
  const hint = useMay()('data.write') ? t.peopleHint : t.peopleReadOnly
  return (
    <Page title={t.title} docs="personal-data">
      <ReadOnlyHint needs="data.write" />
      <Stack maw={760}>
        <Section title={t.people} hint={hint}>
          <Anchor
            component={Link}
            size="sm"
            to="/w/$workspaceId/bots/$botId/users"
            params={{ workspaceId, botId } as never}
          >
            {t.toUsers}
          </Anchor>
          <Text size="sm" component="div">
            <Sentence text={t.byMessage}>
              <BotLink page="conversations">{t.toMessages}</BotLink>
            </Sentence>
          </Text>
        </Section>
        <Retention />
        <Redaction />
        <Erasures />
      </Stack>
    </Page>
  )
}
