// Numbered steps of a guide, with links, values to copy, files and fields.
import type { ChannelGuide } from '@botstead/contract'
import { Anchor, Button, CopyButton, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { saveFile } from '../../parts/files/save-file.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import classes from './channels.module.css'
import type { Values } from './queries.ts'

const t = texts.channels
type Step = ChannelGuide['steps'][number]

export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className={classes.steps}>{children}</ol>
)

interface StepProps {
  number: number
  title: string
  children: ReactNode
}

export const NumberedStep = ({ number, title, children }: StepProps) => (
  <Paper component="li" className={`panel ${classes.step}`} p="md">
    <span className={classes.number} aria-hidden="true">
      {number}
    </span>
    <Stack gap="sm">
      <Text component="h3" fw={600} m={0}>
        {title}
      </Text>
      {children}
    </Stack>
  </Paper>
)

interface GuideStepProps {
  number: number
  step: Step
  /** Of settings, and `webhookUrl`, as far as they are known. */
  values: Values
  children?: ReactNode
}

export const GuideStep = ({ number, step, values, children }: GuideStepProps) => (
  <NumberedStep number={number} title={step.title}>
    <Text size="sm">
      <CodedText text={step.text} />
    </Text>
    {(step.links.length > 0 || step.file) && (
      <Group gap="xs">
        {step.links.map(({ title, url }) => (
          <Anchor
            key={url}
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            size="sm"
          >
            {title}
          </Anchor>
        ))}
        {step.file && <Download file={step.file} />}
        {step.file?.contentType === 'application/json' && <CopyFile file={step.file} />}
      </Group>
    )}
    {step.copies.map(({ title, value }) => (
      <div key={title}>
        <Text size="sm" c="dimmed" mb={4}>
          {title}
        </Text>
        <Copied value={fill(value, values)} />
      </div>
    ))}
    {children}
  </NumberedStep>
)

const Copied = ({ value }: { value: string | null }) =>
  value === null ? (
    <Text size="sm">{t.afterConnecting}</Text>
  ) : (
    <CopyField value={value} />
  )

/** Returns null if a value is not known yet. */
function fill(text: string, values: Values): string | null {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  if (names.some((name) => !values[name])) return null
  return text.replaceAll(/(=?)\{(\w+)\}/g, (_, sign: string, name: string) =>
    sign ? `=${encodeURIComponent(String(values[name]))}` : String(values[name]),
  )
}

const Download = ({ file }: { file: NonNullable<Step['file']> }) => (
  <Button
    size="compact-sm"
    variant="default"
    onClick={() => saveFile(file.name, toBlob(file))}
    title={file.title}
  >
    {t.download(file.name)}
  </Button>
)

const CopyFile = ({ file }: { file: NonNullable<Step['file']> }) => (
  <CopyButton value={new TextDecoder().decode(toBytes(file))}>
    {({ copied, copy }) => (
      <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
        {copied ? texts.common.copied : t.copyFile(file.name)}
      </Button>
    )}
  </CopyButton>
)

const toBytes = ({ base64 }: NonNullable<Step['file']>) =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const toBlob = (file: NonNullable<Step['file']>) =>
  new Blob([toBytes(file)], { type: file.contentType })
