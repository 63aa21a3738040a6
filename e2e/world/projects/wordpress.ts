import type { Project } from '../project.ts';
import { recipe } from '../recipes.ts';
import { dialog } from './dialog.ts';

/** PHP in WebAssembly, with a copy of WordPress from npm. The page is what a theme prints around it. */
export const wordpress: Project = {
  name: 'wordpress',
  packages: ['@wp-playground/cli@3', '@wp-playground/wordpress-builds@0.9'],
  files: async (bff) => ({
    'recipe.php': `<?php
${await recipe('WordPress', 'php', bff)}
add_action('wp_body_open', function () { ?>
<h1><?= isset($_GET['lamps']) ? 'The second page' : 'A shop' ?></h1>
<a href="/?lamps=1">Second page</a>
${dialog}
<?php });`,
  }),
  // The package has WordPress's PHP in an archive, and what browsers load in a folder.
  build: `cd node_modules/@wp-playground/wordpress-builds && unzip -qo src/wordpress/wp-beta.zip -d ../../../wp && cp -r public/wp-beta/. ../../../wp`,
  serve:
    'wp-playground-cli server --port {port} --site-url http://localhost:{port} --wordpress-install-mode do-not-attempt-installing --mount-before-install {dir}/wp:/wordpress --mount {dir}/recipe.php:/wordpress/wp-content/mu-plugins/recipe.php',
  hosts: [
    {
      name: 'WordPress',
      version: '@wp-playground/cli',
      recipe: 'WordPress',
      path: '/',
      note: 'WordPress 6.6 RC with its theme Twenty Twenty-Four, in `@wp-playground/cli`; a full load for each page',
    },
  ],
};
