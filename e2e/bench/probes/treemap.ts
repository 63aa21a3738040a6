import { visualizer } from 'rollup-plugin-visualizer';
import { createBuilder } from 'vite';

/** Builds the app once more, in memory, and writes what each of its modules costs to `bench/treemap.html`. */
export async function writeTreemap(): Promise<void> {
  const builder = await createBuilder({
    logLevel: 'warn',
    plugins: [
      visualizer({
        filename: 'bench/treemap.html',
        template: 'treemap',
        brotliSize: true,
        title: 'Deskside',
      }),
    ],
  });
  await builder.build(builder.environments['client']!);
}
