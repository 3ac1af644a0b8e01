// Rules for the data of people: how long the server keeps it, and the patterns that it redacts.
import { Anchor, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'
import { Redaction } from './redaction.tsx'
import { Retention } from './retention.tsx'

const t = texts.privacy

export function PrivacyPage() {
  const { workspaceId, botId } = useBot()
  return (
    <Page title={t.title}>
      <Stack maw={760}>
        <Retention />
        <Redaction />
        <Section title={t.people} hint={t.peopleHint}>
          <Anchor
            component={Link}
            size="sm"
            to="/w/$workspaceId/bots/$botId/users"
            params={{ workspaceId, botId } as never}
          >
            {t.toUsers}
          </Anchor>
        </Section>
      </Stack>
    </Page>
  )
}
