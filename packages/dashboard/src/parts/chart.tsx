// Bars over time. They are loaded on demand, because their library is large.
import type { BarChartProps } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import { lazily } from './lazily.tsx'

const height = 220

const BarChart = lazily(
  async () => (await import('./bar-chart.ts')).BarChart,
  <Skeleton h={height} />,
)

export const Bars = (props: BarChartProps) => <BarChart h={height} {...props} />
