CREATE TABLE `client_ids` (
	`client_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`task_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `executors_running` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`task_id` text NOT NULL,
	`execution_id` text,
	`node_id` text NOT NULL,
	`runtime` text NOT NULL,
	`executor_type` text NOT NULL,
	`agentctl_url` text,
	`agentctl_port` integer,
	`container_id` text,
	`pid` integer,
	`status` text NOT NULL,
	`supports_session_resume` integer,
	`supports_workspace_only` integer NOT NULL,
	`resume_token` text,
	`workspace_path` text NOT NULL,
	`worktree_id` text,
	`worktree_path` text,
	`worktree_branch` text,
	`last_seen_at` integer,
	`error_code` text,
	`error_message` text,
	`attempt` integer NOT NULL,
	`retry_at` integer,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `executors_running_session` ON `executors_running` (`session_id`);--> statement-breakpoint
CREATE TABLE `task_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`node_id` text NOT NULL,
	`state` text NOT NULL,
	`end_reason` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`stop_requested_at` integer,
	`agent_profile_id` text NOT NULL,
	`agent_execution_id` text,
	`executor_id` text,
	`metadata` text,
	`worktree_id` text,
	`worktree_path` text,
	`worktree_branch` text,
	`title` text NOT NULL,
	`last_event_at` integer,
	`last_event_type` text,
	`listed` integer NOT NULL,
	`archived_at` integer,
	`deleted_at` integer,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_sessions_task` ON `task_sessions` (`task_id`);--> statement-breakpoint
CREATE INDEX `task_sessions_node` ON `task_sessions` (`node_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer
);
--> statement-breakpoint
CREATE TABLE `agent_profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`agent_kind` text NOT NULL,
	`agent_name` text NOT NULL,
	`driver` text NOT NULL,
	`command` text NOT NULL,
	`args` text NOT NULL,
	`env` text NOT NULL,
	`mode` text,
	`model` text,
	`turn_limit_s` integer,
	`auto_resume` text NOT NULL,
	`built_in` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `auth_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`person_id` text NOT NULL,
	`last_used_at` integer NOT NULL,
	`agent` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_sessions_hash` ON `auth_sessions` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `join_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`kind` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `join_tokens_hash` ON `join_tokens` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `node_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`node_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `node_credentials_hash` ON `node_credentials` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `node_credentials_node` ON `node_credentials` (`node_id`);--> statement-breakpoint
CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`machine_id` text NOT NULL,
	`state_id` text NOT NULL,
	`hostname` text NOT NULL,
	`platform` text NOT NULL,
	`home` text NOT NULL,
	`presence` text NOT NULL,
	`presence_since` integer NOT NULL,
	`presence_reason` text,
	`daemon_version` text,
	`boot_id` text,
	`agents` text NOT NULL,
	`as_of` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `nodes_machine` ON `nodes` (`machine_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email_unique` ON `people` (`email`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_links_hash` ON `sign_in_links` (`secret_hash`);