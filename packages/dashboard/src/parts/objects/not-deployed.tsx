// Says that the bot of the page has no code, which would answer messages, and where to deploy it.
import { Alert, Text } from '@mantine/core'
import { useDeployment } from '../../api/bot-query.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { Sentence } from '../texts/sentence.tsx'
import { BotLink } from './bot-link.tsx'

/** Nothing for a bot with code, or at a URL. */
export function NotDeployed() {
  const { data } = useDeployment()
  return data && !data.deployment && !data.atUrl ? <NotDeployedAlert /> : null
}

export function NotDeployedAlert() {
  const mayDeploy = useMay()('bots.update')
  return (
    <Alert
      color="yellow"
      variant="light"
      // Yellow letters lack contrast.
      title={
        <Text span inherit c="var(--mantine-color-text)">
          {texts.bot.notDeployed}
        </Text>
      }
    >
      <Sentence
        text={mayDeploy ? texts.bot.notDeployedHint : texts.bot.notDeployedViewer}
      >
        <BotLink page="versions">{texts.versions.title}</BotLink>
      </Sentence>
    </Alert>
  )
}
