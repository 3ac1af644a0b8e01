// Checks of the installation: errors and advice, and below them those that passed.
import type { Output, platform } from '@botstead/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { clientFor } from '../../api/client.ts'
import { Failed } from '../../parts/states.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.installation

type Finding = Output<typeof platform.installation.checkInstallation>['findings'][number]

export function Checks() {
  const run = useMutation({ mutationFn: () => clientFor().platform.checkInstallation() })
  return (
    <Stack gap="sm" align="stretch">
      <Group>
        <Button variant="default" onClick={() => run.mutate()} loading={run.isPending}>
          {t.runChecks}
        </Button>
      </Group>
      {run.error && <Failed error={run.error} />}
      {run.data && <Findings findings={run.data.findings} />}
    </Stack>
  )
}

function Findings({ findings }: { findings: Finding[] }) {
  const [bad, advice, good] = (['bad', 'advice', 'good'] as const).map((state) =>
    findings.filter((finding) => finding.state === state),
  ) as [Finding[], Finding[], Finding[]]
  return (
    <>
      {[...bad, ...advice].map((finding) => (
        <Problem key={finding.about + finding.text} finding={finding} />
      ))}
      <details>
        <Text component="summary" size="sm">
          {t.passed(good.length)}
        </Text>
        <ul>
          {good.map(({ about, text }) => (
            <Text key={about + text} component="li" size="sm" className="foreign">
              {texts.common.labelled(capital(about), text)}
            </Text>
          ))}
        </ul>
      </details>
    </>
  )
}

const Problem = ({ finding: { about, text, state, advice } }: { finding: Finding }) => (
  <div>
    <Group gap="xs">
      <Badge
        {...(state === 'bad'
          ? { color: 'red.8' }
          : { variant: 'dot', color: 'var(--lamp)' })}
      >
        {t.states[state === 'bad' ? 'bad' : 'advice']}
      </Badge>
      <Text size="sm" fw={600}>
        {capital(about)}
      </Text>
    </Group>
    {[text, advice].map(
      (sentence) =>
        sentence && (
          <Text key={sentence} size="sm" className="foreign" mt={4}>
            <CodedText text={capital(sentence)} />.
          </Text>
        ),
    )}
  </div>
)

const capital = (text: string) =>
  text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())
