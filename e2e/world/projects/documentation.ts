import type { Project } from '../project.ts';
import { tagAttributes } from '../recipes.ts';
import { dialog, jsxDialog } from './dialog.ts';

const vitepressPage = (title: string) => `# ${title}

[Second page](/second)

${dialog}
`;

const vitepress: Project = {
  name: 'vitepress',
  packages: ['vitepress@1'],
  files: async (bff) => {
    const attributes = { ...(await tagAttributes(bff)), async: '' };
    return {
      '.vitepress/config.mts': `import { defineConfig } from 'vitepress';
export default defineConfig({ title: 'A shop', head: [['script', ${JSON.stringify(attributes)}]] });`,
      'index.md': vitepressPage('A shop'),
      'second.md': vitepressPage('The second page'),
    };
  },
  build: 'vitepress build',
  serve: 'vitepress preview --port {port}',
  hosts: [
    {
      name: 'VitePress',
      version: 'vitepress',
      recipe: 'Embedding',
      path: '/',
      note: 'made after its docs: its starter asks questions; the tag in `head` of its configuration',
    },
  ],
};

const docusaurusPage = (title: string) => `import Link from '@docusaurus/Link';
import Layout from '@theme/Layout';
export default function Page() {
  return <Layout title="A shop"><h1>${title}</h1><Link to="/second">Second page</Link>${jsxDialog}</Layout>;
}`;

const docusaurus: Project = {
  name: 'docusaurus',
  starter: 'create-docusaurus@3 {name} classic --typescript --package-manager npm',
  packages: [],
  files: async (bff) => ({
    'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
const config: Config = {
  title: 'A shop',
  url: 'https://shop.example',
  baseUrl: '/',
  future: { v4: true },
  presets: [['classic', { theme: { customCss: './src/css/custom.css' } }]],
  scripts: [${JSON.stringify(await tagAttributes(bff))}],
};
export default config;`,
    'src/pages/index.tsx': docusaurusPage('A shop'),
    'src/pages/second.tsx': docusaurusPage('The second page'),
  }),
  build: 'docusaurus build',
  serve: 'docusaurus serve --port {port} --no-open',
  hosts: [
    {
      name: 'Docusaurus',
      version: '@docusaurus/core',
      recipe: 'Embedding',
      path: '/',
      note: 'the tag in `scripts` of its configuration',
    },
  ],
};

export const documentation: Project[] = [vitepress, docusaurus];
