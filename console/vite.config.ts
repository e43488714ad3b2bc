// How the console is built: static files below /console/, names that change with their content.

import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy that the pages are served with has no room for data in scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8084',
      '/ws': { target: 'ws://127.0.0.1:8084', ws: true },
    },
  },
})
