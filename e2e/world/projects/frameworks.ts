import type { Project } from '../project.ts';
import { recipe, tag } from '../recipes.ts';
import { dialog } from './dialog.ts';

const links = (link: string) => `${link}${dialog}`;

const nuxt: Project = {
  name: 'nuxt',
  packages: ['nuxt@4', 'vue@3', 'vue-router@5'],
  files: async (bff) => ({
    'nuxt.config.ts': `export default defineNuxtConfig({ compatibilityDate: '2025-07-15' });`,
    'app/components/Support.vue': await recipe('Vue', 'vue', bff),
    'app/app.vue': `<template><NuxtPage /><Support :user="null" /></template>`,
    'app/pages/index.vue': `<template><main><h1>A shop</h1>${links('<NuxtLink to="/second">Second page</NuxtLink>')}</main></template>`,
    'app/pages/second.vue': `<template><main><h1>The second page</h1>${links('<NuxtLink to="/second">Second page</NuxtLink>')}</main></template>`,
  }),
  build: 'nuxt build',
  serve: 'PORT={port} node .output/server/index.mjs',
  hosts: [
    {
      name: 'Nuxt',
      version: 'nuxt',
      recipe: 'Vue',
      path: '/',
      note: 'made after its docs: its starter needs GitHub; rendered on the server',
    },
  ],
};

const vue: Project = {
  name: 'vue',
  starter: 'create-vite@9 {name} --template vue-ts --no-interactive',
  packages: ['vue-router@5'],
  files: async (bff) => ({
    'src/components/Support.vue': await recipe('Vue', 'vue', bff),
    'src/App.vue': `<script setup lang="ts">import Support from './components/Support.vue';</script>
<template><RouterLink to="/second">Second page</RouterLink>${dialog}<RouterView /><Support :user="null" /></template>`,
    'src/main.ts': `import { createApp, h } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
const page = (title: string) => ({ render: () => h('h1', title) });
const routes = [{ path: '/', component: page('A shop') }, { path: '/second', component: page('The second page') }];
createApp(App).use(createRouter({ history: createWebHistory(), routes })).mount('#app');`,
  }),
  build: 'npm run build',
  serve: 'vite preview --port {port}',
  hosts: [{ name: 'Vue', version: 'vue', recipe: 'Vue', path: '/' }],
};

const angular: Project = {
  name: 'angular',
  starter: '@angular/cli@22 new {name} --defaults --skip-git --ssr=false',
  packages: [],
  files: async (bff) => ({
    'src/index.html': `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A shop</title><base href="/">${await tag(bff)}</head>
<body><app-root></app-root></body></html>`,
    'src/app/app.html': `<a routerLink="/second">Second page</a>${dialog}<router-outlet />`,
    'src/app/app.ts': `import { Component } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';
@Component({ selector: 'app-root', imports: [RouterLink, RouterOutlet], templateUrl: './app.html' })
export class App {}`,
    'src/app/app.routes.ts': `import { Component } from '@angular/core';
import type { Routes } from '@angular/router';
@Component({ template: '<h1>A shop</h1>' })
class Shop {}
@Component({ template: '<h1>The second page</h1>' })
class Second {}
export const routes: Routes = [{ path: '', component: Shop }, { path: 'second', component: Second }];`,
  }),
  build: 'ng build',
  serve: 'ng serve --port {port} --configuration production --no-live-reload --no-hmr',
  hosts: [{ name: 'Angular', version: '@angular/core', recipe: 'Embedding', path: '/' }],
};

const sveltekit: Project = {
  name: 'sveltekit',
  starter: 'sv@0 create {name} --template minimal --types ts --no-add-ons --install npm',
  packages: [],
  files: async (bff) => ({
    'src/app.html': `<!doctype html>
<html lang="en"><head><meta charset="utf-8">%sveltekit.head%${await tag(bff)}</head>
<body data-sveltekit-preload-data="hover"><div style="display: contents">%sveltekit.body%</div></body></html>`,
    'src/routes/+page.svelte': `<h1>A shop</h1>${links('<a href="/second">Second page</a>')}`,
    'src/routes/second/+page.svelte': `<h1>The second page</h1>${links('<a href="/second">Second page</a>')}`,
  }),
  build: 'vite build',
  serve: 'vite preview --port {port}',
  hosts: [{ name: 'SvelteKit', version: '@sveltejs/kit', recipe: 'Embedding', path: '/' }],
};

const astroPage = (title: string) => `---
import Layout from '../layouts/Layout.astro';
---
<Layout><h1>${title}</h1>${links('<a href="/second/">Second page</a>')}</Layout>`;

const astro: Project = {
  name: 'astro',
  packages: ['astro@7'],
  files: async (bff) => ({
    'astro.config.mjs': `import { defineConfig } from 'astro/config';
export default defineConfig({});`,
    'src/layouts/Layout.astro': `---
import { ClientRouter } from 'astro:transitions';
---
<html lang="en"><head><meta charset="utf-8"><title>A shop</title><ClientRouter />${await tag(bff)}</head>
<body><slot /></body></html>`,
    'src/pages/index.astro': astroPage('A shop'),
    'src/pages/second.astro': astroPage('The second page'),
  }),
  build: 'astro build',
  serve: 'astro preview --port {port}',
  hosts: [
    {
      name: 'Astro',
      version: 'astro',
      recipe: 'Embedding',
      path: '/',
      note: 'made after its docs: its starter needs GitHub; with View Transitions',
    },
  ],
};

export const frameworks: Project[] = [nuxt, vue, angular, sveltekit, astro];
