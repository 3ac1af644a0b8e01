// Bars over time. Only the pages of figures load their library, which is large.
import '@mantine/charts/styles.layer.css'
import { BarChart, type BarChartProps } from '@mantine/charts'

const height = 220

export const Bars = (props: BarChartProps) => <BarChart h={height} {...props} />
