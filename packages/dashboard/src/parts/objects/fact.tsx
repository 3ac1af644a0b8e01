// A name with a value, as pages about an object list them.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.ts'

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Text size="sm" component="div">
    <Text span c="dimmed" size="sm">
      {texts.common.labelled(name, '')}
    </Text>
    <span className="foreign">{children}</span>
  </Text>
)
