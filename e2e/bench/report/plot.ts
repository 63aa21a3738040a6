import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Plot } from './figure.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const size = { width: 760, height: 380 };

/** Colours that can be told apart without distinguishing red from green, in this order. */
const colors = ['#0b6b5d', '#b45309', '#4f46e5', '#9ca3af', '#be185d'];

/** An SVG document, drawn without a browser. */
export function svg({ title, x, y, series }: Plot): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    color: colors,
    title: { text: title, left: 12, top: 10, textStyle: { fontSize: 15 } },
    legend: { top: 38, left: 12, show: series.length > 1 },
    grid: { left: 76, right: 28, top: 78, bottom: 56 },
    xAxis: {
      name: x.name,
      nameLocation: 'middle',
      nameGap: 32,
      ...(x.categories
        ? { type: 'category', data: x.categories, axisLabel: { interval: 0 } }
        : {
            type: x.isLog ? 'log' : 'value',
            axisLabel: { formatter: (value: number) => value.toLocaleString('en') },
          }),
    },
    yAxis: { name: y.name, nameLocation: 'middle', nameGap: 52, type: y.isLog ? 'log' : 'value' },
    series: series.map(({ name, points }) =>
      x.categories
        ? { name, type: 'bar', data: points, barMaxWidth: 34 }
        : { name, type: 'line', data: points, symbolSize: 7 },
    ),
  });
  const drawn = chart.renderToSVGString();
  chart.dispose();
  return drawn;
}
