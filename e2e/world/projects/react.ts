import type { Project } from '../project.ts';
import { recipe } from '../recipes.ts';
import { jsxDialog } from './dialog.ts';

interface Library {
  title: string;
  /** Its package, with a version range. */
  package: string;
  /** The imports, and the component `Dialog` of its docs, which is modal as by default. */
  code: string;
}

const field = '<label>Name <input /></label>';
/** For libraries that come without a style. */
const box = `style={{ position: 'fixed', inset: '20% 30%', zIndex: 50, background: '#fff', padding: 20 }}`;
const backdrop = `style={{ position: 'fixed', inset: 0, zIndex: 49, background: '#0006' }}`;

/** Of a dialog that gets whether it is open: most libraries. */
const controlled = (imports: string, body: string) => `import { useState } from 'react';
${imports}
function Dialog() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return <><button onClick={() => setOpen(true)}>Open dialog</button>${body}</>;
}`;
const closeButton = '<button onClick={close}>Close dialog</button>';

const libraries: Record<string, Library> = {
  react: {
    title: 'React',
    package: 'react@19',
    code: `function Dialog() { return <>${jsxDialog}</>; }`,
  },
  radix: {
    title: 'Radix UI',
    package: 'radix-ui@1',
    code: `import { Dialog as Radix } from 'radix-ui';
function Dialog() {
  return <Radix.Root>
    <Radix.Trigger>Open dialog</Radix.Trigger>
    <Radix.Portal>
      <Radix.Overlay ${backdrop} />
      <Radix.Content ${box}>
        <Radix.Title>Order</Radix.Title><Radix.Description>A lamp</Radix.Description>
        ${field}<Radix.Close>Close dialog</Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>;
}`,
  },
  'react-aria': {
    title: 'React Aria Components',
    package: 'react-aria-components@1',
    code: `import { Button, Dialog as Aria, DialogTrigger, Heading, Input, Label, Modal, ModalOverlay, TextField } from 'react-aria-components';
function Dialog() {
  return <DialogTrigger>
    <Button>Open dialog</Button>
    <ModalOverlay isDismissable ${backdrop}>
      <Modal ${box}><Aria>
        <Heading slot="title">Order</Heading>
        <TextField autoFocus><Label>Name</Label><Input /></TextField><Button slot="close">Close dialog</Button>
      </Aria></Modal>
    </ModalOverlay>
  </DialogTrigger>;
}`,
  },
  headlessui: {
    title: 'Headless UI',
    package: '@headlessui/react@2',
    code: controlled(
      `import { Dialog as Headless, DialogBackdrop, DialogPanel } from '@headlessui/react';`,
      `<Headless open={isOpen} onClose={close}><DialogBackdrop ${backdrop} /><DialogPanel ${box}>${field}${closeButton}</DialogPanel></Headless>`,
    ),
  },
  mui: {
    title: 'MUI',
    package: '@mui/material@9',
    code: controlled(
      `import Material from '@mui/material/Dialog';`,
      `<Material open={isOpen} onClose={close}>${field}${closeButton}</Material>`,
    ),
  },
  antd: {
    title: 'Ant Design',
    package: 'antd@6',
    code: controlled(
      `import { Modal } from 'antd';`,
      `<Modal open={isOpen} onCancel={close} footer={null} title="Order">${field}${closeButton}</Modal>`,
    ),
  },
  vaul: {
    title: 'Vaul',
    package: 'vaul@1',
    code: `import { Drawer } from 'vaul';
function Dialog() {
  return <Drawer.Root>
    <Drawer.Trigger>Open dialog</Drawer.Trigger>
    <Drawer.Portal>
      <Drawer.Overlay ${backdrop} />
      <Drawer.Content ${box}>
        <Drawer.Title>Order</Drawer.Title><Drawer.Description>A lamp</Drawer.Description>
        ${field}<Drawer.Close>Close dialog</Drawer.Close>
      </Drawer.Content>
    </Drawer.Portal>
  </Drawer.Root>;
}`,
  },
  'base-ui': {
    title: 'Base UI',
    package: '@base-ui/react@1',
    code: `import { Dialog as Base } from '@base-ui/react/dialog';
function Dialog() {
  return <Base.Root>
    <Base.Trigger>Open dialog</Base.Trigger>
    <Base.Portal>
      <Base.Backdrop ${backdrop} />
      <Base.Popup ${box}><Base.Title>Order</Base.Title>${field}<Base.Close>Close dialog</Base.Close></Base.Popup>
    </Base.Portal>
  </Base.Root>;
}`,
  },
  ariakit: {
    title: 'Ariakit',
    package: '@ariakit/react@0',
    code: controlled(
      `import { Dialog as Ariakit } from '@ariakit/react';`,
      `<Ariakit open={isOpen} onClose={close} backdrop={<div ${backdrop} />} ${box}>${field}${closeButton}</Ariakit>`,
    ),
  },
  mantine: {
    title: 'Mantine',
    package: '@mantine/core@9',
    code: controlled(
      `import { MantineProvider, Modal } from '@mantine/core';
import '@mantine/core/styles.css';`,
      `<MantineProvider><Modal opened={isOpen} onClose={close} title="Order">${field}${closeButton}</Modal></MantineProvider>`,
    ),
  },
  'react-bootstrap': {
    title: 'React Bootstrap',
    package: 'react-bootstrap@2',
    code: controlled(
      `import { Modal } from 'react-bootstrap';
import 'bootstrap/dist/css/bootstrap.css';`,
      `<Modal show={isOpen} onHide={close}><Modal.Body>${field}${closeButton}</Modal.Body></Modal>`,
    ),
  },
  fluent: {
    title: 'Fluent UI',
    package: '@fluentui/react-components@9',
    code: controlled(
      `import { Dialog as Fluent, DialogSurface, FluentProvider, webLightTheme } from '@fluentui/react-components';`,
      `<FluentProvider theme={webLightTheme}><Fluent open={isOpen} onOpenChange={(_, { open }) => setOpen(open)}><DialogSurface>${field}${closeButton}</DialogSurface></Fluent></FluentProvider>`,
    ),
  },
  ark: {
    title: 'Ark UI',
    package: '@ark-ui/react@5',
    code: `import { Dialog as Ark } from '@ark-ui/react/dialog';
function Dialog() {
  return <Ark.Root>
    <Ark.Trigger>Open dialog</Ark.Trigger><Ark.Backdrop ${backdrop} />
    <Ark.Positioner><Ark.Content ${box}>${field}<Ark.CloseTrigger>Close dialog</Ark.CloseTrigger></Ark.Content></Ark.Positioner>
  </Ark.Root>;
}`,
  },
  primereact: {
    title: 'PrimeReact',
    package: 'primereact@10',
    code: controlled(
      `import { Dialog as Prime } from 'primereact/dialog';`,
      `<Prime visible={isOpen} onHide={close} header="Order" dismissableMask>${field}${closeButton}</Prime>`,
    ),
  },
  'react-modal': {
    title: 'react-modal',
    package: 'react-modal@3',
    code: controlled(
      `import Modal from 'react-modal';
Modal.setAppElement('#root');`,
      `<Modal isOpen={isOpen} onRequestClose={close}>${field}${closeButton}</Modal>`,
    ),
  },
};

const site = `import { type ComponentType, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Support } from './support';
export function mount(Dialog: ComponentType) {
  function Site() {
    const [isSecond, setSecond] = useState(false);
    return <>
      <h1>{isSecond ? 'The second page' : 'A shop'}</h1>
      <a href="/second" onClick={(event) => {
        event.preventDefault();
        history.pushState(null, '', '/second');
        setSecond(true);
      }}>Second page</a>
      <Dialog /><Support user={null} />
    </>;
  }
  createRoot(document.getElementById('root')!).render(<StrictMode><Site /></StrictMode>);
}`;

const html = (name: string, title: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module" src="/src/${name}.tsx"></script></body></html>`;

/** A page for each library, in one site. */
export const react: Project = {
  name: 'react',
  starter: 'create-vite@9 {name} --template react-ts --no-interactive',
  packages: [
    ...Object.values(libraries).map((each) => each.package),
    '@emotion/react@11',
    '@emotion/styled@11',
    '@mantine/hooks@9',
    'bootstrap@5',
    '@types/react-modal@3',
  ],
  files: async (bff) => {
    const entries = Object.entries(libraries);
    return {
      'index.html': html('react', 'React'),
      'vite.config.ts': `import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
const pages = ${JSON.stringify(Object.keys(libraries))};
export default defineConfig({ plugins: [react()], build: { rollupOptions: { input: pages.map((name) => name + '.html') } } });`,
      'src/support.tsx': await recipe('React', 'tsx', bff),
      'src/site.tsx': site,
      'src/main.tsx': null,
      ...Object.fromEntries(entries.map(([name, { title }]) => [`${name}.html`, html(name, title)])),
      ...Object.fromEntries(
        entries.map(([name, { code }]) => [
          `src/${name}.tsx`,
          `import { mount } from './site';\n${code}\nmount(Dialog);\n`,
        ]),
      ),
    };
  },
  build: 'vite build',
  serve: 'vite preview --port {port}',
  hosts: Object.entries(libraries).map(([name, { title, package: spec }]) => ({
    name: title,
    version: spec.replace(/@\d+$/, ''),
    recipe: 'React',
    path: `/${name}.html`,
  })),
};
